/** The relevant documents that a system ranks differently than the baseline, and what stands in their place. */
import type { Hit } from '../types.ts'

export interface MovedDocument {
  readonly docid: string
  /** Its rank with the baseline. Absent if the baseline did not find it. */
  readonly before?: number
  /** Its rank with the system. Absent if the system did not find it. */
  readonly now?: number
  /** The document at its better rank in the list where it ranks worse. Absent if that list is shorter. */
  readonly instead?: string
}

/** How many are told of each query. */
const most = 4

/**
 * The relevant documents with the largest differences of 1/rank, the largest first, at most 4.
 *
 * @param before the hits of the baseline
 * @param now the hits of the system
 * @param grades the judgments of the query: a document is relevant above 0
 */
export function movedDocuments(
  before: readonly Hit[],
  now: readonly Hit[],
  grades: ReadonlyMap<string, number>,
): readonly MovedDocument[] {
  const relevant = [...grades].flatMap(([docid, grade]) => (grade > 0 ? [docid] : []))
  const [old, recent] = [ranksOf(before), ranksOf(now)]
  return relevant
    .flatMap((docid) => {
      const [was, is] = [old.get(docid), recent.get(docid)]
      const change = Math.abs(weight(was) - weight(is))
      if (change === 0) return []
      const [worse, place] = weight(was) > weight(is) ? [now, was] : [before, is]
      const instead = worse[place! - 1]?.docid
      const document: MovedDocument = {
        docid,
        ...(was !== undefined && { before: was }),
        ...(is !== undefined && { now: is }),
        ...(instead !== undefined && { instead }),
      }
      return [{ change, document }]
    })
    .sort((one, other) => other.change - one.change)
    .slice(0, most)
    .map(({ document }) => document)
}

const ranksOf = (hits: readonly Hit[]): ReadonlyMap<string, number> =>
  new Map(hits.map(({ docid }, place) => [docid, place + 1]))

const weight = (rank: number | undefined): number => (rank === undefined ? 0 : 1 / rank)
