/** Searches that are asked for again and again, made once: every seed makes nearly the same candidates. */
import type { Hit, RankedList, SubQuery } from '../../types.ts'
import type { Example } from '../example.ts'

/** A list as it is kept: an object a hit would take five times as much. */
type Kept = { readonly retriever: string } & (
  | { readonly docids: readonly string[]; readonly scores: Float64Array }
  /** Where hits brought their documents along, which someone may want to read. */
  | { readonly hits: readonly Hit[] }
)

/** The same examples; what one of a collection has searched, none of them searches again. */
export function withRememberedSearch(examples: readonly Example[]): Example[] {
  const collections = new Map<string, Map<string, readonly Kept[]>>()
  return examples.map((example) => {
    const known = collections.get(example.collection) ?? new Map<string, readonly Kept[]>()
    collections.set(example.collection, known)
    const { filter } = example.query
    const scope = filter === undefined ? '' : JSON.stringify(filter)
    return {
      ...example,
      async search(subQueries, k) {
        const keyOf = ({ text }: SubQuery): string => `${k ?? ''} ${scope} ${text}`
        const missing = subQueries.filter((subQuery) => !known.has(keyOf(subQuery)))
        const found = await example.search(missing, k)
        for (const [place, subQuery] of missing.entries()) known.set(keyOf(subQuery), found[place]!.map(keep))
        return subQueries.map((subQuery) => known.get(keyOf(subQuery))!.map((kept) => listOf(kept, subQuery)))
      },
    }
  })
}

function keep({ retriever, hits }: RankedList): Kept {
  if (hits.some(({ document }) => document !== undefined)) return { retriever, hits }
  return {
    retriever,
    docids: hits.map(({ docid }) => docid),
    scores: Float64Array.from(hits, ({ score }) => score),
  }
}

function listOf(kept: Kept, subQuery: SubQuery): RankedList {
  const { retriever } = kept
  if ('hits' in kept) return { retriever, subQuery, hits: kept.hits }
  const hits = kept.docids.map((docid, place) => ({ docid, score: kept.scores[place]!, rank: place + 1 }))
  return { retriever, subQuery, hits }
}
