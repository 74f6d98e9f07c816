/** How much a request for sub-queries has to bring, in words. */

/** The gain that must be predicted: a fraction of the mean of nDCG@10 and recall@5. `low` saves requests. */
export const efforts = { low: 0.05, medium: 0.02, high: 0.005 } as const

export type Effort = keyof typeof efforts

export const effortNames = Object.keys(efforts) as [Effort, ...Effort[]]

export const defaultEffort: Effort = 'medium'
