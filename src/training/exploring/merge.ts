/** Branches that come to the same state as another one and are pruned (SPARKLE, 3.1). */
import type { Message } from '../../types.ts'
import type { Growing } from './tree.ts'

export interface Merge {
  /** The prompt at which branches part. */
  readonly fork: string
  /** The prompt at which they are compared: those with the same messages are one. */
  readonly at: string
}

/** Whether these messages were asked before, below a sibling of the last fork on the path. */
export function isMerged(
  path: readonly Growing[],
  messages: readonly Message[],
  { fork, at }: Merge,
): boolean {
  const place = path.findLastIndex(({ action }) => action?.prompt === fork)
  if (place < 1) return false
  const same = JSON.stringify(messages)
  const isSame = ({ action, children }: Growing): boolean =>
    (action?.prompt === at && JSON.stringify(action.messages) === same) || children.some(isSame)
  return path[place - 1]!.children.some((sibling) => sibling !== path[place] && isSame(sibling))
}
