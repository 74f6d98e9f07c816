/** Searches that are asked for again and again, made once: every seed makes nearly the same candidates. */

import type { Example } from '../policies/local/training/example.ts'
import type { SearchText } from '../src/policy.ts'
import type { Hit, RankedList, SubQuery } from '../src/types.ts'

/** A list as it is kept: an object a hit would take five times as much. */
type Kept = Pick<RankedList, 'retriever' | 'kind'> &
  (
    | { readonly docids: readonly string[]; readonly scores: Float64Array }
    /** Where hits brought their documents along, which someone may want to read. */
    | { readonly hits: readonly Hit[] }
  )

/** The same examples; what one of a collection has searched, none of them searches again. */
export function withRememberedSearch(examples: readonly Example[]): Example[] {
  const collections = new Map<string, Memory>()
  return examples.map((example) => {
    const memory = collections.get(example.collection) ?? { lists: new Map(), names: new Map() }
    collections.set(example.collection, memory)
    const { filter } = example.query
    const scope = filter === undefined ? '' : JSON.stringify(filter)
    const keyOf = (count: number | undefined, text: string): string => `${count ?? ''} ${scope} ${text}`
    return {
      ...example,
      async search(subQueries, k) {
        const kept = await remembered<SearchText, readonly Kept[]>(
          memory.lists,
          subQueries,
          ({ text }) => keyOf(k, text),
          async (missing) => (await example.search(missing, k)).map((lists) => lists.map(keep)),
        )
        return kept.map((lists, place) =>
          lists.map((list) => listOf(list, { ...subQueries[place]!, round: 1 })),
        )
      },
      lookUp: (names, count) =>
        remembered(
          memory.names,
          names,
          (name) => keyOf(count, name),
          (missing) => example.lookUp(missing, count),
        ),
    }
  })
}

/** Of a collection. */
interface Memory {
  readonly lists: Map<string, readonly Kept[]>
  readonly names: Map<string, readonly string[]>
}

async function remembered<Asked, Found>(
  known: Map<string, Found>,
  asked: readonly Asked[],
  keyOf: (one: Asked) => string,
  find: (missing: readonly Asked[]) => Promise<readonly Found[]>,
): Promise<Found[]> {
  const missing = asked.filter((one) => !known.has(keyOf(one)))
  const found = missing.length === 0 ? [] : await find(missing)
  for (const [place, one] of missing.entries()) known.set(keyOf(one), found[place]!)
  return asked.map((one) => known.get(keyOf(one))!)
}

function keep({ retriever, kind, hits }: RankedList): Kept {
  const list = { retriever, ...(kind && { kind }) }
  if (hits.some(({ document }) => document !== undefined)) return { ...list, hits }
  return {
    ...list,
    docids: hits.map(({ docid }) => docid),
    scores: Float64Array.from(hits, ({ score }) => score),
  }
}

function listOf(kept: Kept, subQuery: SubQuery): RankedList {
  const { retriever, kind } = kept
  const list = { retriever, ...(kind && { kind }), subQuery }
  if ('hits' in kept) return { ...list, hits: kept.hits }
  const hits = kept.docids.map((docid, place) => ({ docid, score: kept.scores[place]!, rank: place + 1 }))
  return { ...list, hits }
}
