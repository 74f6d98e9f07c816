/** The document that led to a candidate, as the judge of BridgeRAG (arXiv 2604.03384) is shown it: s(question, bridge, candidate). */

import { cut } from '../../src/text/cut.ts'
import type { Document, RankedList } from '../../src/types.ts'

export interface Bridge {
  /** The document that the sub-query was made from. */
  readonly docid: string
  /** The sub-query that found the candidate. */
  readonly subQuery: string
}

/**
 * The bridge of each candidate that has one: the list that ranks the candidate highest is that of a sub-query that was made from
 * another document. Of equal ranks a list with a bridge counts, then the first one.
 */
export function bridgesOf(lists: readonly RankedList[]): ReadonlyMap<string, Bridge> {
  const best = new Map<string, { readonly rank: number; readonly bridge: Bridge | undefined }>()
  for (const { subQuery, hits } of lists)
    hits.forEach(({ docid }, index) => {
      const { from, text } = subQuery
      const bridge = from === undefined || from === docid ? undefined : { docid: from, subQuery: text }
      const known = best.get(docid)
      const rank = index + 1
      const isBetter = known === undefined || rank < known.rank
      if (isBetter || (rank === known.rank && known.bridge === undefined)) best.set(docid, { rank, bridge })
    })
  return new Map([...best].flatMap(([docid, { bridge }]) => (bridge === undefined ? [] : [[docid, bridge]])))
}

/** Characters of a document that are searched for its best sentence, and sentences: a list may have one in each line. */
const [maxSearched, maxSentences] = [10_000, 1000]

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

/** The sentence that shares the most words with the texts, and the first of several such. */
export function bestSentence({ text }: Document, texts: readonly string[]): string {
  const wanted = wordsOf(texts.join(' '))
  let [best, most, count] = ['', -1, 0]
  for (const { segment } of sentences.segment(cut(text, maxSearched))) {
    if (++count > maxSentences) break
    const shared = [...wordsOf(segment)].filter((word) => wanted.has(word)).length
    if (shared > most) [best, most] = [segment, shared]
  }
  return best.trim()
}

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [])
