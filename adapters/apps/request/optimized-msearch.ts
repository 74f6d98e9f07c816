/**
 * An `_msearch` of an application’s: all its searches in one, as they are or changed, and then for each that the policy
 * decides on one more. The answer has the engine’s own responses, but for those that were optimized.
 */
import type { EngineAnswer, EngineLeg, LegsOptions } from './engine.ts'
import { isObject, type JsonObject, numberOf, only, without } from './json.ts'
import { type Optimized, optimizedSearch, type SearchContext } from './optimized-search.ts'
import { indexText, parametersOfEach } from './parameters.ts'
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
  msearch(legs: readonly EngineLeg[], options: LegsOptions): Promise<unknown>
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
    parameters: { ...parametersOfEach(parameters), ...without(header, ...ofIndex) },
    body,
  }
}

/** Where a header line says which indices it is about. */
const ofIndex = ['index', 'indices']

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
  let silent = understood.filter((one) => !('reason' in one)).length
  let send: () => void = () => {}
  const answer = new Promise<void>((resolve) => {
    send = resolve
  }).then(() => engine.sendAll(sent, { signal: context.signal }))

  const searches = understood.map((one, place) => {
    if ('reason' in one) return one
    const item = items[place]!
    const call = callOf(item, index, parameters)
    let isAsked = false
    /** All searches go together as soon as each has said how: by asking, or by ending without. */
    function ask(): void {
      if (isAsked) return
      isAsked = true
      if (--silent === 0) send()
    }
    return optimizedSearch(
      one,
      {
        async search(change, { signal }) {
          const asked = change === undefined ? item : { header: item.header, body: change.body }
          // Refused with its change, or to be sent again, it is sent by itself.
          if (isAsked) return responseOf(await engine.sendAll([asked], { signal }), 0)
          sent[place] = asked
          ask()
          return responseOf(await answer, place)
        },
        msearch: (legs, options) => engine.msearch(legs.map(at(item)), options),
      },
      { ...context, call, isTold: false },
    ).finally(ask)
  })
  const [all, ...optimized] = await Promise.all([answer, ...searches])
  const own = isObject(all.body) ? all.body.responses : undefined
  if (!isObject(all.body) || !Array.isArray(own)) return { own: all.own, optimized }
  const responses = own.map((response: unknown, place) => {
    const one = optimized[place]
    return one === undefined || 'reason' in one ? response : (one.body ?? one.own)
  })
  const isOwn = responses.every((response, place) => response === own[place])
  return isOwn ? { own: all.own, optimized } : { own: all.own, body: { ...all.body, responses }, optimized }
}

/** A leg of a search, on the indices of that search. */
const at =
  ({ header }: MsearchItem) =>
  (leg: EngineLeg): EngineLeg => ({
    ...leg,
    header: { ...only(header, ...ofIndex), ...leg.header },
  })

/** One response of an `_msearch`, as if it were a search’s own. */
function responseOf(answer: EngineAnswer, place: number): EngineAnswer {
  if (answer.status >= 400) return answer
  const responses = isObject(answer.body) ? answer.body.responses : undefined
  const body: unknown = Array.isArray(responses) ? responses[place] : undefined
  const status = isObject(body) ? (numberOf(body.status) ?? 200) : 502
  return { body, status, own: body }
}
