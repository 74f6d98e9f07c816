/** Backends that cost nothing, so that what remains is Querent's own. */
import { createRandom } from '../src/learn/random.ts'
import type { ChatModel, Hit, Leg, Retriever, SubQuery } from '../src/types.ts'

/** A chat model that answers at once with the sub-queries it is given, in ACQO's grammar. */
export function modelAtOnce(rewrites: () => readonly string[]): ChatModel {
  return {
    name: 'at-once',
    complete: async () => ({
      text: JSON.stringify({ query: rewrites().join(' %% ') }),
      tokens: { prompt: 0, completion: 0 },
    }),
  }
}

/** How many documents the lists of `retrieverAtOnce` are drawn from, as a multiple of their length. */
const spread = 4

export interface AtOnceOptions {
  /** Hits in a list. */
  readonly depth: number
  /** Other lists for another seed. Default: 0. */
  readonly seed?: number
  /** What comes before an answer. Default: nothing. */
  readonly wait?: () => Promise<unknown>
}

/** A retriever with lists made beforehand, another one for each of up to four sub-queries of a request. */
export function retrieverAtOnce(name: string, { depth, seed = 0, wait }: AtOnceOptions): Retriever {
  const random = createRandom(seed)
  const lists = Array.from({ length: 4 }, () => listOf(depth, () => random.integer(spread * depth)))
  return {
    name,
    async retrieve(subQueries) {
      await wait?.()
      return subQueries.map(
        (subQuery, index): Leg => ({ retriever: name, subQuery, hits: lists[index % lists.length]! }),
      )
    },
  }
}

function listOf(length: number, document: () => number): Hit[] {
  const drawn = new Set<number>()
  while (drawn.size < length) drawn.add(document())
  return Array.from(drawn, (docid, index) => ({ docid: `d${docid}`, score: length - index, rank: index + 1 }))
}

export const subQueriesOf = (texts: readonly string[]): SubQuery[] =>
  texts.map((text) => ({ text, round: 1 }))
