/** Joins the searches of several judged queries: embedding models and FAISS take many texts at once several times as fast. */
import { systemClock } from '../../../src/runtime/clock.ts'
import { openDeadline } from '../../../src/runtime/deadline.ts'
import { gathering } from '../../../src/runtime/gathering.ts'
import type { Leg, Retriever, SubQuery } from '../../../src/types.ts'

/** How many judged queries a training searches together. */
const together = 32

/** The items in parts of 32, each with the index of its first item. */
export function* partsOf<T>(items: readonly T[]): Generator<readonly [first: number, part: readonly T[]]> {
  for (let first = 0; first < items.length; first += together)
    yield [first, items.slice(first, first + together)]
}

/** Searches with a retriever; a filter limits the documents. */
export type Search = (
  subQueries: readonly SubQuery[],
  options: { readonly k: number; readonly filter?: unknown },
) => Promise<readonly Leg[]>

/**
 * Sends the searches of one turn of the event loop as one, each text once, and those with another `k` apart. Each search gets its
 * own legs, or the error of the joined call. Searches with a filter, and all searches of a retriever whose hits may come with their
 * documents, are sent one after the other: a server would answer hundreds of texts with too much at once.
 */
export function joiningSearches(retriever: Retriever, signal: AbortSignal): Search {
  const joined = new Map<number, ReturnType<typeof joining>>()

  /** With a deadline's signal, which hundreds of texts can wait for. */
  async function retrieved(subQueries: readonly SubQuery[], k: number): Promise<readonly Leg[]> {
    const deadline = openDeadline(systemClock, { parent: signal, ms: Infinity, what: retriever.name })
    try {
      return await retriever.retrieve(subQueries, { k, signal: deadline.signal })
    } finally {
      deadline.release()
    }
  }

  function joining(k: number) {
    return gathering(async (searches: readonly (readonly SubQuery[])[]): Promise<Leg[][]> => {
      const subQueries = new Map(searches.flat().map((subQuery) => [subQuery.text, subQuery]))
      const legsOf = new Map<string, Leg[]>([...subQueries.keys()].map((text) => [text, []]))
      for (const leg of await retrieved([...subQueries.values()], k)) legsOf.get(leg.subQuery.text)?.push(leg)
      return searches.map((own) =>
        own.flatMap((subQuery) => legsOf.get(subQuery.text)!.map((leg) => ({ ...leg, subQuery }))),
      )
    })
  }

  let last: Promise<unknown> = Promise.resolve()
  return async (subQueries, { k, filter }) => {
    if (filter !== undefined || retriever.bringsDocuments !== false) {
      const legs = last.then(() => retriever.retrieve(subQueries, { k, filter, signal }))
      last = legs.catch(() => {})
      return legs
    }
    const join = joined.get(k) ?? joining(k)
    joined.set(k, join)
    return join(subQueries, signal)
  }
}
