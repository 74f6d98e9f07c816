/** What `evaluate` measures where nothing is named. */
export const defaultMetrics: readonly string[] = ['recall@5', 'recall@100', 'ndcg@10', 'mrr@10', 'map']
