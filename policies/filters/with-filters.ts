/**
 * Adds filters to a policy: words such as "under 50 euros" order the hits. The policy decides as before. Beside it the query is
 * searched once more under its filters, and the hits that pass them come first. Nothing is left out, because the query is always
 * searched without them, too.
 */
import { z } from 'zod'
import { count, having, parseConfig } from '../../src/config.ts'
import { subQueryKey } from '../../src/dedupe.ts'
import { toError } from '../../src/errors.ts'
import type { FuseRequest, Policy, Tools } from '../../src/policy.ts'
import { inFront } from '../../src/reranked-hits.ts'
import { isPolicyNamed, shipped } from '../../src/shipped.ts'
import type { Condition, FieldValues, Leg, Query } from '../../src/types.ts'
import { declarationOf, type RerankedOutcome } from '../../src/with-rerank.ts'
import { type Field, type FilterFields, fieldsOf, filterFieldsSchema } from './fields.ts'
import { type Known, knownOf, wantedOf } from './known.ts'
import { filterPrompt } from './prompt.ts'
import { readFilters, textWithout, type WordedFilter } from './read-filters.ts'

export interface FilterOptions {
  /** The fields that queries may filter by. Nothing else is ever filtered by. */
  readonly fields: FilterFields
  /**
   * Whether a chat model reads the filters, by the prompt `filters`. It chooses among the fields, operators, values and numbers that
   * it is shown; an answer with anything else is refused, and the filters are read without it. Default: false.
   */
  readonly ask?: boolean | undefined
  /** The maximum number of filters of a query; the first ones are kept. Default: 4. */
  readonly maxFilters?: number | undefined
}

const optionsSchema = z.strictObject({
  fields: filterFieldsSchema,
  ask: z.boolean().default(false),
  maxFilters: count.max(5).default(4),
})

/** The filters that were kept, and the lists of the searches under them. */
interface Kept {
  readonly legs: readonly Leg[]
  readonly ahead: ReadonlySet<string>
}

/**
 * Wraps a policy. The retrievers apply the conditions beside the query's own filter. Those that cannot are searched without them; BM25
 * and FAISS in the process can if they have metadata, clusters can if their mapping has the fields.
 *
 *     createOptimizer({ retrievers, policy: withFilters(none(), { fields: { price: 'EUR', brand: 'keyword' } }) })
 *
 * @throws QuerentError `bad-config` that names the wrong option
 */
export function withFilters(policy: Policy, options: FilterOptions): Policy {
  parseConfig(having<Policy>('a policy', 'run'), policy, 'withFilters: policy')
  const settings = parseConfig(optionsSchema, options, 'withFilters')
  const fields = fieldsOf(settings.fields)
  const know = knowing(fields)
  const { budget, prompts, close } = policy

  async function filtersIn(query: Query, tools: Tools): Promise<readonly WordedFilter[]> {
    const known = await know(tools)
    const read = (): WordedFilter[] => readFilters(query.text, known)
    const filters = settings.ask
      ? await tools.ask(filterPrompt, { text: query.text, known }).catch(read)
      : read()
    return filters.slice(0, settings.maxFilters)
  }

  /** Never rejects: a search does not need filters. */
  async function narrowed(query: Query, tools: Tools): Promise<Kept | undefined> {
    try {
      const filters = await filtersIn(query, tools)
      return filters.length === 0 ? undefined : await searchUnder(filters, query, tools)
    } catch (thrown) {
      tools.filtered([], toError(thrown))
      return undefined
    }
  }

  const filtering: Policy = {
    ...declarationOf(policy),
    ...(settings.ask && {
      budget: { ...budget, asks: (budget?.asks ?? 8) + 1 },
      prompts: [...(prompts ?? []), filterPrompt.name],
    }),
    ...(close && { close: () => policy.close!() }),
    async run(query, tools) {
      const narrowing = narrowed(query, tools)
      let fused: { readonly legs: readonly Leg[]; readonly request: FuseRequest } | undefined
      const outcome = await policy.run(query, {
        ...tools,
        fuse(legs, request = {}) {
          fused = { legs, request }
          return tools.fuse(legs, request)
        },
      })
      const kept = await narrowing
      return kept === undefined ? outcome : filtered(outcome, kept, fused, tools)
    },
  }
  // `none` does something here.
  return isPolicyNamed('local', policy) ? shipped(filtering) : filtering
}

/** What is known of the fields, read anew only when the index says something else. */
function knowing(fields: readonly Field[]): (tools: Tools) => Promise<Known> {
  const asked = wantedOf(fields)
  let last: { readonly found: readonly FieldValues[]; readonly known: Known } | undefined
  return async (tools) => {
    const found = asked.length === 0 ? [] : await tools.values(asked.map(({ wanted }) => wanted))
    if (last !== undefined && found.every((one, place) => one === last!.found[place])) return last.known
    const known = knownOf(fields, new Map(asked.map(({ field }, place) => [field, found[place] ?? {}])))
    last = { found, known }
    return known
  }
}

/** A search under some of the filters. */
interface Attempt {
  readonly filters: readonly WordedFilter[]
  readonly where: readonly Condition[]
  /** The query without the words of the filters, which decides whether anything passes. */
  readonly rest: string
}

function attemptWith(filters: readonly WordedFilter[], { text }: Query): Attempt {
  return { filters, where: filters.map(({ condition }) => condition), rest: textWithout(text, filters) }
}

/**
 * Searches the query under all filters, without their words and with them. If nothing passes, searches it once more, each time without
 * one of the filters: the first attempt that finds something is kept. The trace says what was dropped.
 */
async function searchUnder(
  filters: readonly WordedFilter[],
  query: Query,
  tools: Tools,
): Promise<Kept | undefined> {
  const all = attemptWith(filters, query)
  const legs = await search([all], query, tools)
  const answered = legs.filter(({ error }) => error === undefined)
  function end(
    dropped: 'empty' | 'unsupported' | 'failed',
    attempt?: Attempt,
    kept?: Kept,
  ): Kept | undefined {
    tools.filtered(
      filters.map((filter) => {
        const { words, condition } = filter
        return { words, condition, ...(attempt?.filters.includes(filter) !== true && { dropped }) }
      }),
    )
    return kept
  }
  if (answered.length === 0) return end(legs.length === 0 ? 'unsupported' : 'failed')
  const found = keptOf(all, answered)
  if (found !== undefined) return end('empty', all, found)
  if (filters.length === 1) return end('empty')
  const fewer = filters.map((left) =>
    attemptWith(
      filters.filter((filter) => filter !== left),
      query,
    ),
  )
  const others = (await search(fewer, query, tools)).filter(({ error }) => error === undefined)
  // Later words are the more likely ones to be meant less strictly.
  for (const attempt of fewer.toReversed()) {
    const kept = keptOf(attempt, others)
    if (kept !== undefined) return end('empty', attempt, kept)
  }
  return end('empty')
}

const search = (attempts: readonly Attempt[], query: Query, tools: Tools): Promise<readonly Leg[]> =>
  tools.narrow(
    attempts.flatMap(({ rest, where }) => [...new Set([rest, query.text])].map((text) => ({ text, where }))),
  )

/** The lists of an attempt, if the query without the words of its filters found something under them: lists of words decide. */
function keptOf({ where, rest }: Attempt, legs: readonly Leg[]): Kept | undefined {
  const key = JSON.stringify(where)
  const own = legs.filter(({ subQuery }) => JSON.stringify(subQuery.where) === key)
  const strict = own.filter(({ subQuery }) => subQuery.text === rest)
  const lexical = strict.filter(({ kind = 'lexical' }) => kind === 'lexical')
  const deciding = lexical.length > 0 ? lexical : strict
  if (deciding.every(({ hits = [] }) => hits.length === 0)) return undefined
  return { legs: own, ahead: new Set(own.flatMap(({ hits = [] }) => hits.map(({ docid }) => docid))) }
}

/** The outcome with the lists of the filters and of the original query among those that vote, and what passes before the rest. */
async function filtered(
  outcome: RerankedOutcome,
  { legs, ahead }: Kept,
  fused: { readonly legs: readonly Leg[]; readonly request: FuseRequest } | undefined,
  tools: Tools,
): Promise<RerankedOutcome> {
  // A policy that fuses nothing has hits of its own making.
  if (fused === undefined) {
    return { ...outcome, hits: inFront(outcome.hits, [ahead]), ahead }
  }
  const known = new Set(fused.legs.map(keyOf))
  const original = (await tools.original()).filter((leg) => leg.error === undefined && !known.has(keyOf(leg)))
  const { request } = fused
  const first = [...(request.first ?? []), ...(outcome.citations ?? []), ahead]
  return {
    ...outcome,
    hits: tools.fuse([...fused.legs, ...original, ...legs], { ...request, first }),
    ahead,
  }
}

const keyOf = ({ retriever, subQuery }: Leg): string => `${retriever}\n${subQueryKey(subQuery)}`
