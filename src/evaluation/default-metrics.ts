/** The metrics that `evaluate` computes by default. */
export const defaultMetrics: readonly string[] = ['recall@5', 'recall@100', 'ndcg@10', 'mrr@10', 'map']
