/**
 * An `_msearch` of an application’s: all its searches in one, as they are or changed, and then for each that the policy
 * decides on one more. The answer has the engine’s own responses, but for those that were optimized.
 */
import type { EngineAnswer, EngineLeg } from './engine.ts'
import { isObject, type JsonObject, numberOf, without } from './json.ts'
import { type Optimized, optimizedSearch, type SearchContext } from './optimized-search.ts'
import { indexText } from './parameters.ts'
import { type SearchCall, type Understood, understand } from './understand.ts'

/** One search of an `_msearch`: its header line and its body. */
export interface MsearchItem {
  readonly header: JsonObject
  readonly body: unknown
}

export interface MsearchEngine {
  /** Sends lines as the caller’s own `_msearch` was sent, with its parameters. */
  sendAll(items: readonly MsearchItem[], options: { readonly signal: AbortSignal }): Promise<EngineAnswer>
  /** One response a leg: see `Engine`. */
  msearch(
    legs: readonly EngineLeg[],
    options: { readonly signal: AbortSignal; readonly timeout: number | undefined },
  ): Promise<unknown>
}

export interface MsearchCall {
  /** The index of the URL, for headers without one. */
  readonly index: string | undefined
  readonly parameters: JsonObject
  readonly items: readonly MsearchItem[]
}

/** What came of an `_msearch`. `optimized` has one entry a search: why it passed through, or what was done. */
export interface OptimizedMsearch {
  readonly own: unknown
  readonly body?: JsonObject
  readonly optimized: readonly (Optimized | { readonly reason: string })[]
}

type Context = Omit<SearchContext, 'call' | 'isTold'>

/** Why an `_msearch` as a whole passes through, or each search as far as it is understood. */
export function understandMsearch(
  { index, parameters, items }: MsearchCall,
  window: number,
): { readonly reason: string } | readonly (Understood | { readonly reason: string })[] {
  if (parameters.filter_path !== undefined)
    return { reason: 'filter_path of an _msearch is the engine’s to apply' }
  const understood = items.map((item) => understand(callOf(item, index, parameters), {}, { window }))
  return understood.some((one) => !('reason' in one))
    ? understood
    : { reason: 'none of its searches is rewritten' }
}

/** What a header line says is what the URL of a search says. */
function callOf(
  { header, body }: MsearchItem,
  index: string | undefined,
  parameters: JsonObject,
): SearchCall {
  return {
    index: indexText(header.index ?? header.indices) ?? index,
    parameters: { ...without(header, 'index', 'indices'), ...ofAll(parameters) },
    body,
  }
}

/** Parameters of an `_msearch` that are those of each of its searches. */
const ofAll = ({ search_type, rest_total_hits_as_int, typed_keys }: JsonObject): JsonObject => ({
  ...(search_type !== undefined && { search_type }),
  ...(rest_total_hits_as_int !== undefined && { rest_total_hits_as_int }),
  ...(typed_keys !== undefined && { typed_keys }),
})

/**
 * @param understood of `understandMsearch`
 * @throws what the application would have got without us
 */
export async function optimizedMsearch(
  { index, parameters, items }: MsearchCall,
  understood: readonly (Understood | { readonly reason: string })[],
  engine: MsearchEngine,
  context: Context,
): Promise<OptimizedMsearch> {
  const sent = [...items]
  let send: () => void = () => {}
  const answer = new Promise<void>((resolve) => {
    send = resolve
  }).then(() => engine.sendAll(sent, { signal: context.signal }))

  const searches = understood.map((one, place) => {
    if ('reason' in one) return one
    const item = items[place]!
    const call = callOf(item, index, parameters)
    let isAsked = false
    return optimizedSearch(
      one,
      {
        async search(change, { signal }) {
          // Refused with its change, it is sent by itself.
          if (isAsked) return responseOf(await engine.sendAll([item], { signal }), 0)
          isAsked = true
          if (change !== undefined) sent[place] = { header: item.header, body: change.body }
          return responseOf(await answer, place)
        },
        msearch: (legs, options) => engine.msearch(legs, options),
      },
      { ...context, call, isTold: false },
    )
  })
  // All that is to be searched first has been asked for by now: an optimizer does so at once.
  send()
  const [all, ...optimized] = await Promise.all([answer, ...searches])
  const own = isObject(all.body) ? all.body.responses : undefined
  const isChanged = optimized.some((one) => !('reason' in one) && one.body !== undefined)
  if (!isObject(all.body) || !Array.isArray(own) || !isChanged) return { own: all.own, optimized }
  const responses = own.map((response: unknown, place) => {
    const one = optimized[place]
    return one === undefined || 'reason' in one ? response : (one.body ?? one.own)
  })
  return { own: all.own, body: { ...all.body, responses }, optimized }
}

/** One response of an `_msearch`, as if it were a search’s own. */
function responseOf(answer: EngineAnswer, place: number): EngineAnswer {
  if (answer.status >= 400) return answer
  const responses = isObject(answer.body) ? answer.body.responses : undefined
  const body: unknown = Array.isArray(responses) ? responses[place] : undefined
  const status = isObject(body) ? (numberOf(body.status) ?? 200) : 502
  return { body, status, own: body }
}
