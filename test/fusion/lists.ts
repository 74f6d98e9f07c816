/** Lists for the fusion tests: made by hand, and random ones. */
import fc from 'fast-check'
import type { Hit, RankedList } from '../../src/types.ts'

/** A list from [docid, score] pairs, best first. */
export function list(
  pairs: readonly (readonly [docid: string, score: number])[],
  { retriever = 'bm25', text = 'query' }: { readonly retriever?: string; readonly text?: string } = {},
): RankedList {
  return {
    retriever,
    subQuery: { text, round: 1 },
    hits: pairs.map(([docid, score], index) => ({ docid, score, rank: index + 1 })),
  }
}

/** A list from docids alone, best first; scores count down to 1. */
export const ranked = (...docids: readonly string[]): RankedList =>
  list(docids.map((docid, place) => [docid, docids.length - place]))

export const scoresOf = (hits: readonly Hit[]): Record<string, number> =>
  Object.fromEntries(hits.map(({ docid, score }) => [docid, score]))

export const docidsOf = (hits: readonly Hit[]): string[] => hits.map(({ docid }) => docid)

/** They include docids that are special as keys of an object. */
const docid = fc.constantFrom(
  'a',
  'b',
  'c',
  'd',
  'e',
  'f',
  'g',
  '10',
  '2',
  '__proto__',
  'constructor',
  '\u{1F600}',
  'ä',
)

/** A list like a retriever's: scores are positive and descending, some of them equal. */
const anyList: fc.Arbitrary<RankedList> = fc
  .record({
    docids: fc.uniqueArray(docid, { maxLength: 9 }),
    steps: fc.array(fc.constantFrom(0, 0.25, 0.5, 1, 3), { minLength: 9, maxLength: 9 }),
  })
  .map(({ docids, steps }) => {
    let score = 0.125
    const scores = docids.map((_, place) => {
      score += steps[place]!
      return score
    })
    return list(docids.map((id, place) => [id, scores[docids.length - 1 - place]!]))
  })

/** One to four lists of one retriever. */
export const anyLists: fc.Arbitrary<RankedList[]> = fc.array(anyList, { minLength: 1, maxLength: 4 })
