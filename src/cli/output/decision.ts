import { type Considered, consideredIn } from '../../../policies/local/decision/considered.ts'
import { partWords } from '../../budget-words.ts'
import { filterWords } from '../../condition-words.ts'
import { isAsAsked } from '../../dedupe.ts'
import { failedPrompts } from '../../trace.ts'
import type { LegTrace, Step, Trace } from '../../types.ts'
import { clip, count, formatDuration } from './words.ts'

/** Decisions in a word. */
export const kindWords = { 'as-is': 'unchanged', rewrite: 'rewritten', decompose: 'split' } as const

/** Why the results of the user's words were returned instead of the policy's; nothing if they were not. */
export function describeFallback({ fallback }: Trace): string[] {
  return fallback === undefined ? [] : [`These are the results without Querent: ${fallback.message}`]
}

/** The decision, the searches and the failed lists for people, one line each. */
export function describeDecision(trace: Trace): string[] {
  const { kind, reason, times, fallback, policy, tokens } = trace
  const legs = trace.steps.flatMap((step) => (step.type === 'retrieve' ? step.legs : []))
  const spent = tokens.prompt + tokens.completion
  return [
    ...(fallback === undefined
      ? [`${policy}: ${kindWords[kind]}${isReranked(trace) ? ', re-ranked' : ''} (${reason})`]
      : []),
    ...describeSubQueries(trace),
    ...describeFilters(trace),
    ...describeEnd(trace),
    ...missingLegs(trace),
    `${count(legs.length, 'search', 'searches')} in ${formatDuration(times.total)}` +
      `${spent > 0 ? `, ${count(spent, 'token')}` : ''}; scores: ${scoreScale(trace)}`,
  ]
}

/** What of the budget ended the search, if anything did and nothing else says so. */
const describeEnd = ({ outcome: { endedBy }, fallback }: Trace): string[] =>
  endedBy === undefined || fallback !== undefined ? [] : [`ended by the budget: ${partWords[endedBy]}`]

/** The prompts that a policy went on without, a line each. */
export const failedAsks = (trace: Trace): string[] =>
  trace.fallback === undefined
    ? failedPrompts(trace).map(({ prompt, error }) => `went on without ${prompt}: ${error.message}`)
    : []

/** Why the hits are in the fused order although there is a re-ranker; nothing if they are not. */
export const failedReranking = ({ steps }: Trace): string[] =>
  steps.flatMap((step) =>
    step.type === 'rerank' && step.error !== undefined
      ? [`went on without re-ranking: ${step.error.message}`]
      : [],
  )

/** The sub-queries that vote, and in one line the texts that only add documents to re-rank. */
function describeSubQueries(trace: Trace): string[] {
  const { kind, subQueries, steps } = trace
  const voting = kind === 'as-is' ? [] : subQueries.map(({ text }) => text)
  const asked = steps.flatMap((step) => (step.type === 'retrieve' && step.round > 0 ? step.legs : []))
  const beside = asked.filter(({ subQuery }) => isAsAsked(subQuery))
  const others = new Set(beside.map(({ subQuery }) => subQuery.text).filter((text) => !voting.includes(text)))
  return [
    ...voting.map((text, index) => `  ${index + 1}. ${clip(text)}`),
    ...(others.size > 0 ? [`  only for re-ranking: ${clip([...others].join('; '))}`] : []),
  ]
}

/** The words that were read as filters, and what became of each, a line each. */
export const describeFilters = ({ steps }: Trace): string[] =>
  steps.flatMap((step) =>
    step.type !== 'filter'
      ? []
      : [
          ...step.read.map((filter) => `filter ${filterWords(filter)}`),
          ...(step.error === undefined ? [] : [`went on without filters: ${step.error.message}`]),
        ],
  )

/** The choices of the local policy, if it decided. */
export const consideredOf = ({ steps }: Trace): Considered | undefined =>
  consideredIn(steps.findLast((step) => step.type === 'decide')?.details)

/** The legs that failed, one line each. */
export const missingLegs = ({ steps }: Trace): string[] =>
  steps
    .flatMap((step) => (step.type === 'retrieve' ? step.legs : []))
    .filter(({ status }) => status !== 'ok')
    .map(describeMissing)

/** The step that fused the lists. */
export const fuseStep = ({ steps }: Trace): Extract<Step, { readonly type: 'fuse' }> | undefined =>
  steps.findLast((step) => step.type === 'fuse')

/** The scale of the scores. All hits of a search share it; scores of two searches cannot be compared. */
export function scoreScale(trace: Trace): string {
  const { hits } = trace.outcome
  const isMoved = hits.some(({ score, fused }) => fused !== undefined && score !== fused.score)
  if (hits.some(({ recency }) => recency !== undefined)) return 'one over the rank, less with age'
  // Where a policy puts documents in front, or lets lists take turns.
  if (isMoved && hits.every(({ score, rank }) => score === 1 / rank)) return 'one over the rank'
  return isReranked(trace) && !hasFusedScores(trace)
    ? 'from the re-ranker'
    : `from the fusion method ${fuseStep(trace)?.method ?? 'none'}`
}

/** Whether re-ranking kept not only the fused order but also its scores, as the local re-ranker does where it would not help. */
const hasFusedScores = ({ outcome: { hits } }: Trace): boolean =>
  hits.every(({ score, fused }) => score === fused?.score)

/** Whether a re-ranker read the hits. It may have kept their order and their scores. */
export const isReranked = ({ steps }: Trace): boolean =>
  steps.some((step) => step.type === 'rerank' && step.error === undefined && step.pool > 0)

function describeMissing({ retriever, subQuery, status, error }: LegTrace): string {
  return `${retriever} ${status} for "${clip(subQuery.text)}"${error ? `: ${error.message}` : ''}`
}
