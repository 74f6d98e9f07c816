/** The systems of every comparison. */
export const systemNames = {
  learned: 'the learned policy',
  asIs: 'the query as it is',
  fixed: 'the best fixed set',
  contextFree: 'a context-free policy',
  uniform: 'uniform choice',
  shuffled: 'trained on shuffled rewards',
  oracle: 'the oracle',
} as const

/** Other settings of the learned policy, whose own is `--effort medium`. */
export const dialNames = {
  low: 'the learned policy, low effort',
  high: 'the learned policy, high effort',
  ungated: 'the learned policy without its gate',
} as const

/** Of the mixture the best fixed set may be none at all, which sends no requests. */
export const searchingSet = 'the best fixed set of sub-queries'
