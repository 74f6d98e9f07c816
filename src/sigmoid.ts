/** The logistic function: a score as a number from 0 to 1, in the same order. */
export const sigmoid = (score: number): number => 1 / (1 + Math.exp(-score))
