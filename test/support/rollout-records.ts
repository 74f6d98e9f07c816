import type { RecordedNode, RolloutRecord } from '../../src/training/rollouts/record.ts'

/** A node of rollouts; its id is its place, from 1. */
export type NodeOf = Omit<RecordedNode, 'id' | 'messages'>

/** The rollouts of one query. */
export const rolloutsOf = (
  qid: string,
  nodes: readonly NodeOf[],
  policy: string = 'c3po',
): RolloutRecord => ({
  version: 1,
  qid,
  policy,
  settings: {},
  nodes: nodes.map((node, place) => ({ id: place + 1, messages: [], ...node })),
})
