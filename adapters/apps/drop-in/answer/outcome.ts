/**
 * What became of a search of an application, in words that are the same wherever they are said: in the header, the body, the log,
 * the metrics and on the page. Callers may be anyone: of an error they get the code and what it means, and not the message, in
 * which backends write addresses, credentials and documents.
 */
import { redacted } from '../../../../src/errors.ts'
import { type InterleavedHits, passedThrough, type SearchOutcome, said } from '../../../../src/observe.ts'
import { nothingFoundWords } from '../../../../src/relax.ts'
import { failedPrompts, toFailure } from '../../../../src/trace.ts'
import type { Failure, Hit, Trace } from '../../../../src/types.ts'
import type { JsonObject } from '../parse/json.ts'
import { byMore, type RewritableSearch } from '../parse/parse-search.ts'
import { AnswerError } from './engine-answer.ts'

/** How a search ended. `passed` says why it passed through after all, `kept` why its hits are the engine's in the engine's order. */
export interface Ended {
  readonly trace?: Trace
  readonly error?: Error
  readonly passed?: string
  readonly kept?: string
  /** Which list brought the hits of an interleaved page. */
  readonly interleaved?: InterleavedHits
}

export function outcomeOf({ trace, error, passed, kept, interleaved }: Ended): SearchOutcome {
  if (passed !== undefined) return passedThrough(passed)
  if (error instanceof AnswerError) return { kind: 'failed', reason: error.what }
  const failure = error === undefined ? trace?.fallback : toFailure(error)
  if (failure !== undefined) return { kind: 'failed', reason: inALine(failure) }
  const lost = trace?.partial ? whyLost(trace) : undefined
  const drafted = interleaved && "interleaved with the engine's own list"
  const unread = trace && poolOf(trace) === 0 ? `not re-ranked, since ${noTexts}` : undefined
  const nothing = trace?.outcome.nothingFound
  const found = nothing === undefined ? unread : nothingFoundWords(nothing, false)
  const [kind, own, part] =
    kept === undefined
      ? (['changed', drafted ?? found, 'in part'] as const)
      : (['unchanged', kept, 'hits may be missing'] as const)
  const reasons = [lost === undefined ? own : `${part}, ${lost}`, trace && withoutPrompts(trace)]
  const reason = reasons.filter((one) => one !== undefined).join('; ')
  return { kind, ...(reason !== '' && { reason }) }
}

/** The prompts that failed, and the code of the first failure. */
function withoutPrompts(trace: Trace): string | undefined {
  const failed = failedPrompts(trace)
  const names = [...new Set(failed.map(({ prompt }) => prompt))]
  return names.length === 0 ? undefined : `went on without ${names.join(', ')} (${failed[0]!.error.code})`
}

/** The outcome of a search that rejects with the engine's or the client's own error. */
export const unanswered = (error: Error): SearchOutcome => ({
  kind: 'failed',
  reason: `the engine gave no answer (${toFailure(error).code})`,
})

/** From what matters most for the searches of an `_msearch`. */
const kinds = ['changed', 'failed', 'unchanged', 'passed through'] as const

/** The outcome of an `_msearch`, from those of its searches. */
export function outcomeOfAll(all: readonly SearchOutcome[]): SearchOutcome {
  const [first = passedThrough('it has no searches'), ...others] = kinds.flatMap((kind) =>
    all.filter((one) => one.kind === kind),
  )
  const other = others.find(({ kind }) => kind !== first.kind)
  if (other === undefined) return first
  const count = all.filter(({ kind }) => kind === first.kind).length
  return { kind: first.kind, reason: `${count} of ${all.length} searches; ${said(other)}` }
}

/** Why the caller gets the engine's hits in the engine's order, although nothing failed. */
export function whyKept({ body, fixed, ranking }: RewritableSearch, trace: Trace): string {
  const { hits, nothingFound } = trace.outcome
  if (hits.length === 0)
    return nothingFound === undefined ? 'nothing was found' : nothingFoundWords(nothingFound, false)
  const pool = poolOf(trace)
  if (pool === 0) return noTexts
  const isSearched = trace.subQueries.some(({ round }) => round > 0)
  const byFactors = pool !== undefined && ranking.factors.length > 0 ? byMore(body, ranking) : undefined
  const found = isSearched ? 'other words found nothing better' : 'no other words would find more'
  const words = fixed ?? byFactors ?? found
  return pool === undefined ? words : `${words}, and re-ranking kept the order`
}

const noTexts = 'its hits have no texts that may be read'

/** How many hits were re-ranked. Undefined if none were to be. */
const poolOf = ({ steps }: Trace): number | undefined =>
  steps.flatMap((step) => (step.type === 'rerank' && step.error === undefined ? step.pool : [])).at(-1)

function whyLost({ steps }: Trace): string {
  const legs = steps.flatMap((step) => (step.type === 'retrieve' ? step.legs : []))
  const reasons = legs.map(({ error, incomplete }) => (error === undefined ? incomplete : inALine(error)))
  return reasons.find((reason) => reason !== undefined) ?? 'a search is missing'
}

const inALine = (failure: Failure): string => `${failure.code}: ${redacted(failure).message}`

/** The only key that Querent adds to answers. */
export const ownKey = '_querent'

/** The report about a hit. */
export const about = ({ rank, score, fused, recency, provenance }: Hit): JsonObject => ({
  rank,
  score,
  ...(recency !== undefined && { recency }),
  ...(fused && { fused }),
  ...(provenance && { provenance }),
})

/** The report about the whole search. `leftOut` are the parts of the caller's context that could not be read. */
export const summary = (
  outcome: SearchOutcome,
  trace: Trace | undefined,
  leftOut: readonly string[] = [],
): JsonObject => ({
  outcome,
  ...(trace && decisionIn(trace)),
  ...(leftOut.length > 0 && { leftOut }),
})

const decisionIn = ({
  policy,
  kind,
  reason,
  subQueries,
  partial,
  fallback,
  times,
  outcome: { nothingFound },
}: Trace): JsonObject => ({
  policy,
  decision: kind,
  // The reason of a fallback repeats the message of its error.
  reason: fallback === undefined ? reason : `without Querent: ${fallback.code}`,
  subQueries,
  partial,
  ...(fallback && { fallback: redacted(fallback) }),
  ...(nothingFound && { nothingFound }),
  times,
})
