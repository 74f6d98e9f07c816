/** A retriever whose legs are kept. */
import { z } from 'zod'
import { parseConfig } from '../../src/config.ts'
import { gathering } from '../../src/runtime/gathering.ts'
import type { Leg, Retriever, SubQuery } from '../../src/types.ts'
import { declared } from '../resilience/declared.ts'
import { keyOf } from '../resilience/merge-legs.ts'
import type { Cache } from './cache.ts'
import { scopeSchema } from './scope.ts'

export interface CachedRetrieverOptions {
  /**
   * Who searches, and all that decides what this caller may see, beside the filter: an identity, the address of the cluster, the
   * index and its version. JSON; dates and long integers may be in it. Legs are shared by those with an equal scope only. The retriever's name, the sub-query, its
   * conditions, the filter and `k` are in the key anyway.
   */
  readonly scope: readonly unknown[]
}

/** The legs of a sub-query, without it. */
const keptSchema = z
  .array(
    z.object({
      retriever: z.string(),
      kind: z.enum(['lexical', 'dense', 'sparse']).exactOptional(),
      hits: z.array(z.looseObject({ docid: z.string(), score: z.number(), rank: z.int().positive() })),
    }),
  )
  .min(1)

/**
 * Keeps the legs of each sub-query, with the documents of their hits. Sub-queries of one request whose legs are missing are
 * retrieved together. Failed and incomplete legs are not kept, and neither are those with a filter that JSON cannot write. A search
 * may miss what was indexed since, as long as the cache keeps an entry.
 *
 * @returns a retriever of the same name
 * @throws QuerentError `bad-config` for a scope with something that JSON leaves out
 */
export function cachedRetriever(
  retriever: Retriever,
  cache: Cache,
  options: CachedRetrieverOptions,
): Retriever {
  const { scope } = parseConfig(scopeSchema, options, 'cachedRetriever')
  return {
    ...declared(retriever),
    async retrieve(subQueries, request) {
      const { k, filter, signal } = request
      if (filter !== undefined && !isJson(filter)) return retriever.retrieve(subQueries, request)
      const retrieveOne = gathering(async (missing: readonly SubQuery[], until) => {
        const legs = await retriever.retrieve(missing, { ...request, signal: until })
        const keys = legs.map((leg) => keyOf(leg.subQuery))
        return missing.map(keyOf).map((key) => legs.filter((_, place) => keys[place] === key))
      })
      const found = subQueries.map(async (subQuery) => {
        const { value } = await cache.through<readonly Leg[]>({
          key: ['legs', scope, retriever.name, keyOf(subQuery), k, filter === undefined ? [] : [filter]],
          make: (until) => retrieveOne(subQuery, until),
          write: writeLegs,
          read: (text) => readLegs(text, subQuery),
          signal,
        })
        // Who joined has the legs of another's sub-query, which came from another round.
        return value.map((leg) => ({ ...leg, subQuery }))
      })
      return (await Promise.all(found)).flat()
    },
    ...(retriever.close && { close: () => retriever.close!() }),
  }
}

const isJson = (value: unknown): boolean => z.json().safeParse(value).success

function writeLegs(legs: readonly Leg[]): string | undefined {
  if (legs.length === 0 || !legs.every(isWhole)) return undefined
  return JSON.stringify(legs.map(({ retriever, kind, hits }) => ({ retriever, kind, hits })))
}

const isWhole = (leg: Leg): boolean =>
  leg.error === undefined && leg.incomplete === undefined && isJson(leg.hits)

function readLegs(text: string, subQuery: SubQuery): readonly Leg[] {
  return keptSchema.parse(JSON.parse(text)).map((kept) => ({ ...kept, subQuery }) as Leg)
}
