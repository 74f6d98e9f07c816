/** How much a request for sub-queries has to bring, in words. */

/**
 * The gain that must be predicted before sub-queries are searched: points of the metric (the mean of nDCG@10 and recall@5) as a
 * fraction. `low` saves requests, `high` finds what can be found.
 */
export const efforts = { low: 0.05, medium: 0.02, high: 0.005 } as const

export type Effort = keyof typeof efforts

export const effortNames = Object.keys(efforts) as [Effort, ...Effort[]]

export const defaultEffort: Effort = 'medium'
