/**
 * Answers a request of an application that searches, `_search` or `_msearch`: optimizes what may be optimized. The rest passes
 * through.
 */
import { passedThrough, reportSearch } from '../../../../src/observe.ts'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { keyText, without } from '../parse/json.ts'
import { indexText, parametersOfEach } from '../parse/parameters.ts'
import type { PassThrough, RewritableSearch, SearchCall } from '../parse/parse-search.ts'
import { listKey } from '../plan/leg-body.ts'
import type { CallerEngine, RequestEngine, SearchItem, SearchRequest } from './caller-engine.ts'
import { filledItems } from './filled-items.ts'
import { admitEach, type Entering } from './load.ts'
import { type Answered, type Optimize, ofIndex, optimizedMsearch } from './optimized-msearch.ts'
import { optimizedSearch, type SearchContext } from './optimized-search.ts'
import { parseWithMapping } from './parse-with-mapping.ts'
import type { SearchSettings } from './prepare-settings.ts'
import { settingsFor } from './rules.ts'

/** A request that passes through. */
export interface Passing {
  readonly reason: string
  /** The searches with the query text that the caller passed next to them. Undefined: the request as the caller wrote it. */
  readonly items: readonly SearchItem[] | undefined
  /** To be called when the caller has the engine's answer. */
  readonly onAnswered?: (() => void) | undefined
}

export interface RequestContext extends Omit<SearchContext, 'call' | 'isTold'> {
  /** Why the request passes through, whatever it asks. */
  readonly reason?: string | undefined
  /** The value of a header of the request. */
  readonly header?: ((name: string) => string | undefined) | undefined
  /** Whether nobody waits for the answer. */
  readonly isSpare?: boolean | undefined
}

/** @throws the error that the application would get without Querent */
export async function answerRequest(
  request: SearchRequest,
  engine: RequestEngine,
  context: RequestContext,
): Promise<Answered | Passing> {
  const { settings } = context
  const passing = context.reason === undefined ? settings.rollout?.passing(request, context) : undefined
  if (passing === undefined) {
    const interleavedFor = settings.rollout?.interleavedFor(request, context)
    return optimizedRequest(request, engine, { ...context, interleavedFor })
  }
  const { reason, shadow } = passing
  const items = filledItems(request)
  if (shadow === undefined) return { reason, items }
  const { legTimeout, budget } = settings
  const start = systemClock.now()
  return {
    reason,
    items,
    onAnswered: () =>
      shadow.begin({
        calls: request.items.map((item) => callOf(item, request)),
        engine,
        engineMs: systemClock.now() - start,
        timeout: legTimeout + budget.timeout,
        make: (counted, signal) =>
          optimizedRequest(request, counted, {
            ...context,
            ...{ signal, explains: false, isSpare: true },
            settings: { ...settings, observe: undefined },
          }),
      }),
  }
}

async function optimizedRequest(
  request: SearchRequest,
  engine: RequestEngine,
  context: RequestContext,
): Promise<Answered | Passing> {
  const { settings, identity, leftOut = [], opaqueId, signal } = context
  const filled = filledItems(request)
  const calls = request.items.map((item) => callOf(item, request))
  const reason = context.reason ?? whyWhole(request)
  // Each request of a client has its own retries, and what is only logged has no observer.
  const ruled = calls.map(({ index }): SearchSettings | undefined => {
    const own = settingsFor(settings, index)
    return own && { ...own, limits: settings.limits, observe: settings.observe }
  })
  const parsed = calls.map((call, place): RewritableSearch | PassThrough => {
    const own = ruled[place]
    if (reason !== undefined) return { reason }
    if (own === undefined) return { reason: 'a rule for its index says so' }
    return parseWithMapping(call, { query: request.query }, { ...context, settings: own }, engine)
  })
  const enteringOf = (one: RewritableSearch, place: number): Entering => ({
    key: keyText(listKey(identity, calls[place]!.index, one)),
    isBehind: one.page.from > 0,
    isSpare: context.isSpare,
    signal,
  })
  const admitted = await admitEach(settings.load, parsed, enteringOf)
  if ('reason' in admitted) return { reason: admitted.reason, items: filled }
  const { understood } = admitted
  const optimize: Optimize = (one, place, search, until) =>
    optimizedSearch(
      one,
      { ...engine, ...search },
      {
        ...context,
        signal: until,
        settings: ruled[place]!,
        call: calls[place]!,
        isTold: request.query !== undefined,
      },
    )
  try {
    const answered = await (request.kind === 'msearch'
      ? optimizedMsearch(
          { ...request, filled, understood },
          engine,
          { limits: settings.limits, signal },
          optimize,
        )
      : alone(understood[0] as RewritableSearch, engine, signal, optimize))
    for (const [place, one] of answered.optimized.entries())
      if ('reason' in one)
        reportSearch(settings.observe, {
          outcome: passedThrough(one.reason),
          index: calls[place]!.index,
          opaqueId,
          ...(leftOut.length > 0 && { leftOut }),
        })
    return answered
  } finally {
    admitted.leave()
  }
}

async function alone(
  understood: RewritableSearch,
  engine: RequestEngine,
  signal: AbortSignal,
  optimize: Optimize,
): Promise<Answered> {
  const search: CallerEngine['search'] = (change, options) =>
    engine.send(change && [{ header: {}, ...change }], options)
  const result = await optimize(understood, 0, { search }, signal)
  return { own: result.own, ...(result.body && { body: result.body }), optimized: [result] }
}

const whyWhole = ({ kind, parameters }: SearchRequest): string | undefined =>
  kind === 'msearch' && parameters.filter_path !== undefined
    ? "filter_path of an _msearch is the engine's to apply"
    : undefined

/** One search of the request. A header line becomes URL parameters. */
function callOf({ header, body }: SearchItem, { kind, index, parameters }: SearchRequest): SearchCall {
  if (kind === 'search') return { index, parameters, body }
  return {
    index: indexText(header.index ?? header.indices) ?? index,
    parameters: { ...parametersOfEach(parameters), ...without(header, ...ofIndex) },
    body,
  }
}
