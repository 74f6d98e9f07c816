/**
 * Team draft interleaving (Radlinski, Kurup and Joachims, CIKM 2008, algorithm 2): two rankings become one, and what users click in it
 * says which of them they prefer. As two captains choose their teams, each ranking in turn picks its best document that nobody has. A
 * coin says who begins a round, so neither has the better places.
 */
import { createHash } from 'node:crypto'
import { createRandom } from '../learn/random.ts'

/** Who picked a document: the engine's own list, or Querent's. */
export type Side = 'engine' | 'querent'

export interface Drafted {
  readonly docid: string
  /** Absent once a list has run out. What follows was picked by nobody: with more picks, a side would win by clicks at random. */
  readonly side?: Side
}

/**
 * Merges two lists of docids, best first. Each docid stands once. The first n of the merged list follow from the first n of both, so
 * pages that are cut from it agree.
 *
 * @param key the same lists and key give the same merged list
 */
export function teamDraft(
  engine: readonly string[],
  querent: readonly string[],
  key: string,
): readonly Drafted[] {
  const random = createRandom(createHash('sha256').update(key).digest().readUIntBE(0, 6))
  const drafted = new Map<string, Side | undefined>()
  const left = { engine: [...engine], querent: [...querent] }
  /** Forgets what the other side has picked. */
  function next(side: Side): string | undefined {
    const list = left[side]
    while (list[0] !== undefined && drafted.has(list[0])) list.shift()
    return list[0]
  }
  let turns: readonly Side[] = []
  while (next('engine') !== undefined && next('querent') !== undefined) {
    if (turns.length === 0) turns = random.integer(2) === 0 ? ['engine', 'querent'] : ['querent', 'engine']
    const [side, ...others] = turns
    drafted.set(next(side!)!, side)
    turns = others
  }
  for (const docid of [...left.engine, ...left.querent])
    if (!drafted.has(docid)) drafted.set(docid, undefined)
  return Array.from(drafted, ([docid, side]) => ({ docid, ...(side && { side }) }))
}
