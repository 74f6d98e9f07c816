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
