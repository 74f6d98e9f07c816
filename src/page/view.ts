/** One search as the page shows it: built from the lines of the stream while it runs, and from the trace when it is over. */
import type { AnsweredHit, SearchAnswer } from '../../adapters/apps/http/answer.ts'
import type { Problem } from '../../adapters/apps/http/problem.ts'
import type { SearchEvent } from '../../adapters/apps/http/stream.ts'
import type { BriefLeg } from '../evaluation/report/explained-search.ts'
import type { DecisionKind, LegTrace, ReadFilter, Step, SubQuery, Trace } from '../types.ts'
import type { Judged } from './judgments.ts'

/** One text at one retriever. What it found is missing until it has answered. */
export interface LegView {
  readonly retriever: string
  readonly subQuery: SubQuery
  readonly status?: LegTrace['status']
  /** The number of hits. */
  readonly hits?: number
  readonly ms?: number
  /** The rank of each docid that is known. */
  readonly ranks: ReadonlyMap<string, number>
  /** Why it failed, or why hits may be missing. */
  readonly trouble?: string
}

/** One request to all retrievers. Round 0 searches the user's words. */
export interface RoundView {
  readonly round: number
  readonly reason?: string
  readonly subQueries: readonly SubQuery[]
  readonly legs: readonly LegView[]
}

export interface SearchView {
  readonly phase: 'searching' | 'done' | 'failed'
  /** What was searched, and the conversation before it. */
  readonly text: string
  readonly history?: Judged['history']
  readonly policy?: string
  readonly decision?: { readonly kind: DecisionKind; readonly reason: string }
  readonly rounds: readonly RoundView[]
  /** Words that were read as filters. */
  readonly filters?: readonly ReadFilter[]
  /** `texts` is set when the search is over: whose lists were fused. Those of others only added documents to re-rank. */
  readonly fused?: { readonly method: string; readonly texts?: readonly SubQuery[] }
  readonly reranked?: { readonly pool: number; readonly kept: boolean }
  /** The code of the error that made the policy fail. */
  readonly fallback?: string
  /** While it is written, the pieces so far. */
  readonly answer?: string
  readonly citations: readonly string[]
  readonly hits: readonly AnsweredHit[]
  /** Titles of documents that came with the stream. */
  readonly titles: Readonly<Record<string, string>>
  readonly failedPrompts: NonNullable<SearchAnswer['failedPrompts']>
  readonly unanswered?: true
  /** What of the budget ended the search. */
  readonly endedBy?: SearchAnswer['endedBy']
  readonly answerable?: number
  readonly partial: boolean
  readonly trace?: Trace
  /** Whether the reader ended it. */
  readonly isStopped?: boolean
  readonly problem?: Pick<Problem, 'title' | 'detail' | 'remedy'>
}

export const begun = ({ text, history }: Judged): SearchView => ({
  phase: 'searching',
  text,
  history,
  rounds: [{ round: 0, subQueries: [{ text, round: 0 }], legs: [] }],
  citations: [],
  hits: [],
  titles: {},
  failedPrompts: [],
  partial: false,
})

/** The view after one more line of the stream. */
export function withEvent(view: SearchView, event: SearchEvent): SearchView {
  switch (event.type) {
    case 'decision':
      return { ...view, decision: { kind: event.kind, reason: event.reason } }
    case 'round': {
      const { round, reason, subQueries } = event
      return { ...view, rounds: [...view.rounds, { round, reason, subQueries, legs: [] }] }
    }
    case 'leg': {
      const { round, retriever, subQuery, status, hits, ms, found = [] } = event
      const leg = { retriever, subQuery, status, hits, ms, ranks: ranksIn(found) }
      const titled = found.flatMap(({ docid, title }) => (title === undefined ? [] : [[docid, title]]))
      return {
        ...view,
        titles: { ...view.titles, ...Object.fromEntries(titled) },
        rounds: view.rounds.map((one) => (one.round === round ? { ...one, legs: [...one.legs, leg] } : one)),
      }
    }
    case 'filters':
      return { ...view, filters: event.read }
    case 'fused':
      return { ...view, fused: { method: event.method } }
    case 'reranked':
      return { ...view, reranked: { pool: event.pool, kept: event.kept } }
    case 'text':
      return { ...view, answer: `${view.answer ?? ''}${event.text}` }
    case 'fallback':
      return { ...view, fallback: event.code }
    case 'result':
      return withResult(view, event)
    case 'error':
      return failed(view, event.problem)
  }
}

export const failed = (view: SearchView, problem: NonNullable<SearchView['problem']>): SearchView => ({
  ...view,
  phase: 'failed',
  problem,
})

/** What had come stays. */
export const stopped = (view: SearchView): SearchView => ({ ...view, phase: 'failed', isStopped: true })

/** A search of the past. */
export const viewOfAnswer = (answer: SearchAnswer): SearchView =>
  withResult(begun(answer.trace?.query ?? { text: '' }), answer)

function withResult(view: SearchView, result: SearchAnswer): SearchView {
  const { answer: _, ...rest } = view
  const { hits, answer, citations = [], unanswered, endedBy, answerable } = result
  const { decision, partial, trace, failedPrompts = [] } = result
  return {
    ...rest,
    phase: 'done',
    decision: { kind: decision.kind, reason: decision.reason },
    hits,
    citations,
    failedPrompts,
    partial,
    ...(answer !== undefined && { answer }),
    ...(unanswered && { unanswered }),
    ...(endedBy && { endedBy }),
    ...(answerable !== undefined && { answerable }),
    ...(trace && { trace, policy: trace.policy, ...ofSteps(trace) }),
  }
}

/** What the trace knows better than the lines of the stream. */
function ofSteps({ steps, fallback }: Trace): Partial<SearchView> {
  const last = <Type extends Step['type']>(type: Type) =>
    steps.findLast((step): step is Extract<Step, { readonly type: Type }> => step.type === type)
  const [fuse, rerank, filter] = [last('fuse'), last('rerank'), last('filter')]
  return {
    rounds: steps.flatMap((step) => (step.type === 'retrieve' ? [roundOf(step)] : [])),
    ...(fuse && { fused: { method: fuse.method, texts: fuse.lists.map(({ subQuery }) => subQuery) } }),
    ...(filter && { filters: filter.read }),
    ...(rerank && { reranked: { pool: rerank.pool, kept: rerank.error !== undefined } }),
    ...(fallback && { fallback: fallback.code }),
  }
}

/** A leg with all of its hits, or with some, their ranks and the number of all. */
type KeptLeg = LegTrace & Partial<Pick<BriefLeg, 'hits' | 'total'>>

const ranksIn = (
  hits: readonly { readonly docid: string; readonly rank?: number }[],
): ReadonlyMap<string, number> => new Map(hits.map(({ docid, rank }, at) => [docid, rank ?? at + 1]))

function roundOf({
  round,
  reason,
  subQueries,
  legs,
}: Extract<Step, { readonly type: 'retrieve' }>): RoundView {
  return {
    round,
    ...(reason !== undefined && { reason }),
    subQueries,
    legs: legs.map(({ retriever, subQuery, status, ms, hits = [], total, error, incomplete }: KeptLeg) => {
      const trouble = error?.message ?? incomplete
      return {
        retriever,
        subQuery,
        status,
        hits: total ?? hits.length,
        ms,
        ranks: ranksIn(hits),
        ...(trouble !== undefined && { trouble }),
      }
    }),
  }
}
