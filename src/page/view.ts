/** One search as the page shows it: built from the lines of the stream while it runs, and from the trace when it is over. */
import type { SearchAnswer } from '../../adapters/apps/http/answer.ts'
import type { Problem } from '../../adapters/apps/http/problem.ts'
import type { SearchEvent } from '../../adapters/apps/http/stream.ts'
import type { BriefLeg } from '../evaluation/report/explanations.ts'
import type { LegTrace, ReadFilter, Step, SubQuery, Trace } from '../types.ts'
import type { Judged } from './judgments.ts'

/** One text at one retriever. */
export interface LegView extends Pick<LegTrace, 'retriever' | 'subQuery' | 'status' | 'ms'> {
  /** The number of hits. */
  readonly hits: number
  /** The rank of each docid that is known. */
  readonly ranks: ReadonlyMap<string, number>
  /** Why it failed, or why hits may be missing. */
  readonly trouble?: string
}

/** One request to all retrievers. Round 0 searches the user's words. Legs are those that have answered. */
interface RoundView {
  readonly round: number
  readonly subQueries: readonly SubQuery[]
  readonly legs: readonly LegView[]
}

/** What was searched, the conversation before it, and what is there of the answer. `answer`: while it is written, its pieces so far. */
export interface SearchView extends Judged, Omit<SearchAnswer, 'decision' | 'took'> {
  readonly phase: 'searching' | 'done' | 'failed'
  readonly policy?: string
  readonly decision?: Pick<Trace, 'kind' | 'reason'>
  readonly rounds: readonly RoundView[]
  /** Words that were read as filters. */
  readonly filters?: readonly ReadFilter[]
  /** Those of other texts only added documents to re-rank. */
  readonly fused?: { readonly method: string; readonly texts: readonly SubQuery[] }
  readonly reranked?: { readonly pool: number; readonly kept: boolean }
  /** The code of the error that made the policy fail. */
  readonly fallback?: string
  /** Titles of documents that came with the stream. */
  readonly titles: Readonly<Record<string, string>>
  /** Whether the reader ended it. */
  readonly isStopped?: boolean
  readonly problem?: Pick<Problem, 'title' | 'detail' | 'remedy'>
}

export const begun = ({ text, history }: Judged): SearchView => ({
  phase: 'searching',
  text,
  history,
  rounds: [{ round: 0, subQueries: [{ text, round: 0 }], legs: [] }],
  hits: [],
  titles: {},
  partial: false,
})

/** The view after one more line of the stream. What its end tells better has no part in it. */
export function withEvent(view: SearchView, event: SearchEvent): SearchView {
  switch (event.type) {
    case 'decision':
      return { ...view, decision: event }
    case 'round':
      return { ...view, rounds: [...view.rounds, { ...event, legs: [] }] }
    case 'leg': {
      const { round, found = [], hits: total, type: _, ...rest } = event
      const leg = legOf({ ...rest, hits: found, total })
      const titled = found.flatMap(({ docid, title }) => (title === undefined ? [] : [[docid, title]]))
      return {
        ...view,
        titles: { ...view.titles, ...Object.fromEntries(titled) },
        rounds: view.rounds.map((one) => (one.round === round ? { ...one, legs: [...one.legs, leg] } : one)),
      }
    }
    case 'text':
      return { ...view, answer: `${view.answer ?? ''}${event.text}` }
    case 'result': {
      const { type: _, ...answer } = event
      return withResult(view, answer)
    }
    case 'error':
      return failed(view, event.problem)
    default:
      return view
  }
}

/** A search that is over stays as it is. */
export const failed = (view: SearchView, problem: NonNullable<SearchView['problem']>): SearchView =>
  view.phase === 'searching' ? { ...view, phase: 'failed', problem } : view

/** What had come stays. */
export const stopped = (view: SearchView): SearchView =>
  view.phase === 'searching' ? { ...view, phase: 'failed', isStopped: true } : view

/** What a trace says too may be left out. */
type Answer = Partial<SearchAnswer> & Omit<SearchAnswer, 'decision' | 'took'>

/** A search of the past. */
export const viewOfAnswer = (answer: Answer): SearchView =>
  withResult(begun(answer.trace?.query ?? { text: '' }), answer)

const withResult = ({ answer: _, ...view }: SearchView, result: Answer): SearchView => ({
  ...view,
  ...result,
  phase: 'done',
  ...(result.trace && ofTrace(result.trace)),
})

function ofTrace({ steps, fallback, policy, kind, reason }: Trace): Partial<SearchView> {
  const last = <Type extends Step['type']>(type: Type) =>
    steps.findLast((step): step is Extract<Step, { readonly type: Type }> => step.type === type)
  const [fuse, rerank, filter] = [last('fuse'), last('rerank'), last('filter')]
  return {
    policy,
    decision: { kind, reason },
    rounds: steps.flatMap((step) =>
      step.type === 'retrieve' ? [{ ...step, legs: step.legs.map(legOf) }] : [],
    ),
    ...(fuse && { fused: { method: fuse.method, texts: fuse.lists.map(({ subQuery }) => subQuery) } }),
    ...(filter && { filters: filter.read }),
    ...(rerank && { reranked: { pool: rerank.pool, kept: rerank.error !== undefined } }),
    ...(fallback && { fallback: fallback.code }),
  }
}

/** A leg with all of its hits, or with some, their ranks and the number of all. */
type KeptLeg = Omit<LegTrace, 'hits'> & Partial<Pick<BriefLeg, 'hits' | 'total'>>

function legOf({ hits = [], total = hits.length, error, incomplete, ...leg }: KeptLeg): LegView {
  const trouble = error?.message ?? incomplete ?? (leg.status === 'ok' ? undefined : leg.status)
  const ranks = new Map(hits.map(({ docid, rank }, at) => [docid, rank ?? at + 1]))
  return { ...leg, hits: total, ranks, ...(trouble !== undefined && { trouble }) }
}
