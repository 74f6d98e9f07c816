/** A retriever on a cluster. Sends all sub-queries, for words, vectors and sparse weights, in one `_msearch`. */

import { count, parseConfig } from '../../../src/config.ts'
import { type Clock, systemClock } from '../../../src/runtime/clock.ts'
import type {
  FindValues,
  Leg,
  RetrieveOptions,
  Retriever,
  RetrieverKind,
  SubQuery,
} from '../../../src/types.ts'
import { type LegRequest, legOf, partsOf } from './answer.ts'
import { callOf, searchHeader } from './caller.ts'
import type { Cluster } from './cluster.ts'
import { clausesWhere } from './conditions.ts'
import {
  type Caller,
  type ClusterRetrieverOptions,
  callerSchema,
  filterSchema,
  retrieverSchema,
} from './options.ts'
import { filtersOf, type Plan, type PlanRequest, planOf, type RetrieverSettings } from './plan.ts'
import { queryVectors, queryWeights } from './query-vectors.ts'
import { withoutFields } from './relaxed-query.ts'
import { clusterValues } from './values.ts'

export interface ClusterRetriever extends Retriever {
  readonly legs: readonly { readonly name: string; readonly kind: RetrieverKind }[]
  /**
   * The same retriever for one caller. Its headers, routing and preference replace the retriever's; its filter is added. Callers
   * share only the client's connections. The result needs no `close`.
   *
   * @throws QuerentError `bad-config`
   */
  for(caller: Caller): Retriever
  close(): Promise<void>
}

interface Parts {
  readonly engine: Cluster
  readonly settings: RetrieverSettings
  readonly plan: Plan
  readonly clock: Clock
}

/**
 * @param engine closed with the retriever
 * @param clock time, for tests
 * @throws QuerentError `bad-config`
 */
export function clusterRetriever(
  engine: Cluster,
  options: ClusterRetrieverOptions,
  clock: Clock = systemClock,
): ClusterRetriever {
  const settings = parseConfig(retrieverSchema, options, `The retriever on ${engine.kind}`)
  const plan = planOf(engine, settings)
  const { name, legs } = plan
  const parts = { engine, settings, plan, clock }
  const askValues = clusterValues(engine, plan.path)

  const valuesFor =
    (caller: Caller): FindValues =>
    async (wanted, { filter, signal }) => {
      const own = parseConfig(filterSchema, filter, `Retriever "${name}": filter`)
      const filters = filtersOf(settings.filter, caller.filter, own)
      const { routing, preference } = { ...settings, ...caller }
      const querystring = { ...(routing && { routing }), ...(preference && { preference }) }
      return askValues({ wanted, filters, querystring, call: callOf(settings, caller) }, signal)
    }

  const retrieverFor = (caller: Caller): Retriever & Pick<ClusterRetriever, 'legs'> => ({
    name,
    legs,
    bringsDocuments: settings.source !== false,
    narrows: true,
    relaxes: true,
    values: valuesFor(caller),
    retrieve: (subQueries, request) => retrieve(parts, caller, subQueries, request),
  })

  return {
    ...retrieverFor({}),
    for: (given) => retrieverFor(parseConfig(callerSchema, given, `Retriever "${name}": for`)),
    close: () => engine.close(),
  }
}

async function retrieve(
  parts: Parts,
  caller: Caller,
  subQueries: readonly SubQuery[],
  { k, filter, signal, timeout }: RetrieveOptions,
): Promise<readonly Leg[]> {
  const { engine, settings, plan, clock } = parts
  const { name } = plan
  signal?.throwIfAborted()
  parseConfig(count, k, `Retriever "${name}": k`)
  const own = parseConfig(filterSchema, filter, `Retriever "${name}": filter`)
  if (subQueries.length === 0) return []

  const start = clock.now()
  const request = { k, timeout, filters: filtersOf(settings.filter, caller.filter), own: filtersOf(own) }
  const planned = await searchesOf(parts, subQueries, request, signal)
  const searches = planned.filter((one) => 'body' in one)
  if (searches.length === 0) return planned as readonly Leg[]

  const header = searchHeader(settings, caller)
  const left = timeout === undefined ? undefined : Math.max(1, timeout - (clock.now() - start))
  const answer = await engine.send(
    {
      name: 'msearch',
      method: 'POST',
      path: `/${plan.path}/_msearch`,
      lines: searches.flatMap(({ body }) => [header, body]),
    },
    { ...callOf(settings, caller), signal, timeout: left },
  )
  const answered = partsOf(name, answer, searches.length)
  const reading = { ...settings, index: plan.index }
  const errorOf = (part: object): Error => engine.errorOf(answer, part)
  let place = 0
  return planned.map((one) => ('body' in one ? legOf(one, answered[place++], reading, errorOf) : one))
}

/** The searches of each sub-query: lexical, vector and sparse, as far as the retriever has them. */
async function searchesOf(
  { engine, settings: { vector, sparse }, plan, clock }: Parts,
  subQueries: readonly SubQuery[],
  request: PlanRequest & { readonly own: readonly object[] },
  signal: AbortSignal | undefined,
): Promise<readonly (Search | Leg)[]> {
  const { k, filters, own, timeout } = request
  const texts = subQueries.map(({ text }) => text)
  const [vectors, weights] = await Promise.all([
    vector && queryVectors(vector.embedder, texts, { clock, signal, timeout }),
    sparse?.encoder && queryWeights(sparse.encoder, texts, { clock, signal, timeout }),
  ])

  /** The request with the query's filter and the conditions of the sub-query among its filters. */
  const narrowed = ({ where, relaxed }: SubQuery): PlanRequest => {
    const left = withoutFields(own, relaxed?.without ?? []) as readonly object[]
    return { ...request, relaxed, filters: [...filters, ...left, ...clausesWhere(where)] }
  }

  function neighborsOf(subQuery: SubQuery, at: number): Search | Leg {
    const retriever = `${plan.name}-vector`
    if (vectors instanceof Error) return { retriever, subQuery, error: vectors }
    const near = {
      field: vector!.field,
      vector: vectors![at]!,
      candidates: plan.candidates(k),
      filters: narrowed(subQuery).filters,
    }
    return { retriever, subQuery, k, body: plan.around(engine.nearest(near), request) }
  }

  function weighedOf(subQuery: SubQuery, at: number): Search | Leg {
    const retriever = `${plan.name}-sparse`
    if (weights instanceof Error) return { retriever, subQuery, error: weights }
    return { retriever, subQuery, k, body: plan.sparse!(subQuery.text, weights?.[at], narrowed(subQuery)) }
  }

  return subQueries.flatMap((subQuery, at) => [
    ...(plan.words
      ? [{ retriever: plan.name, subQuery, k, body: plan.words(subQuery.text, narrowed(subQuery)) }]
      : []),
    ...(vector ? [neighborsOf(subQuery, at)] : []),
    ...(plan.sparse ? [weighedOf(subQuery, at)] : []),
  ])
}

/** One search of a request. */
type Search = LegRequest & { readonly body: object }
