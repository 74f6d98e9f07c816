/** The metrics that `evaluate` computes by default. */
export const defaultMetrics: readonly string[] = ['recall@5', 'recall@100', 'ndcg@10', 'mrr@10', 'map']

/** Those that it computes for judgments made from clicks: nobody judged what nobody was shown, so such hits are left out. */
export const clickMetrics: readonly string[] = ['recall@5-judged', 'ndcg@10-judged', 'mrr@10-judged', 'bpref']
