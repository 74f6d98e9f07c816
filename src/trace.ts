/** What happened in a search, written down step by step while it happens. `trace-schema.ts` reads it back. */

import { isQuerentError } from './errors.ts'
import { legStatus, type TimedLeg } from './fan-out.ts'
import { callSafely } from './runtime/call-safely.ts'
import type { Clock } from './runtime/clock.ts'
import type {
  Considered,
  DecisionKind,
  Failure,
  Hit,
  LegTrace,
  Outcome,
  Query,
  Step,
  SubQuery,
  Times,
  Trace,
} from './types.ts'

/** What was decided about a query. */
interface Decision {
  readonly kind: DecisionKind
  readonly reason: string
  readonly subQueries: readonly SubQuery[]
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }
type StepOf<Type extends Step['type']> = Extract<Step, { readonly type: Type }>

/** The notes of one search. */
export interface Recorder {
  /** Milliseconds since the search began. */
  elapsed(): number
  /** Adds a step at the moment it begins, so that steps stand in that order; its fields are filled in as they are known. */
  begin<Type extends Step['type']>(step: StepOf<Type>): Mutable<StepOf<Type>>
  /** Says that a step is complete, to whoever watches. */
  end(step: Step): void
  /** The trace is not finished before `work` is settled. Gives `work` back. */
  follow<T>(work: Promise<T>): Promise<T>
  /** Whether all that is followed is settled. */
  readonly isSettled: boolean
  /** The decision that is being carried out: at first, the query as it is. */
  readonly decision: Decision
  decide(decision: Decision, considered?: Considered): void
  /** A leg that should have taken part did not. */
  markPartial(): void
  fallBack(failure: Failure): void
  finish(outcome: Outcome): Promise<Trace>
}

/** @param onStep called with each step when it is complete; what it throws or rejects with is dropped */
export function createRecorder(
  clock: Clock,
  query: Query,
  policy: string,
  asIs: Decision,
  onStep?: (step: Step) => void,
): Recorder {
  const start = clock.now()
  const steps: Step[] = []
  const pending = new Set<Promise<unknown>>()
  let decision = asIs
  let partial = false
  let fallback: Failure | undefined
  const elapsed = (): number => clock.now() - start
  const end = (step: Step): void => {
    if (onStep !== undefined) callSafely(onStep, step)
  }
  const note = (step: Step): void => {
    steps.push(step)
    end(step)
  }

  return {
    elapsed,
    end,
    get decision() {
      return decision
    },
    begin(step) {
      const open = { ...step }
      steps.push(open)
      return open
    },
    follow(work) {
      // Settled in any case: a policy that lets go of a tool's promise must not end the process with its rejection.
      const settle = (): void => void pending.delete(settled)
      const settled = work.then(settle, settle)
      pending.add(settled)
      return work
    },
    get isSettled() {
      return pending.size === 0
    },
    decide(decided, considered) {
      decision = decided
      note({ type: 'decide', startMs: elapsed(), ...decided, ...(considered && { considered }) })
    },
    markPartial() {
      partial = true
    },
    fallBack(failure) {
      fallback = failure
      decision = { ...asIs, reason: `fell back to the query as it is: ${failure.message}` }
      note({ type: 'fallback', startMs: elapsed(), error: failure })
    },
    async finish({ hits, answer }) {
      const total = elapsed()
      await Promise.all(pending)
      const { kind, reason, subQueries } = decision
      const kept = hits.map(withoutDocument)
      const trace: Trace = {
        version: 1,
        query,
        policy,
        kind,
        reason,
        subQueries,
        secondStage: subQueries.some(({ stage }) => stage === 2),
        partial,
        steps,
        times: timesOf(steps, total),
        tokens: tokensOf(steps),
        outcome: answer === undefined ? { hits: kept } : { hits: kept, answer },
      }
      return fallback === undefined ? trace : { ...trace, fallback }
    },
  }
}

/** A hit as a trace keeps it. */
function withoutDocument(hit: Hit): Hit {
  if (hit.document === undefined) return hit
  const { document: _, ...rest } = hit
  return rest
}

/** An error as a trace keeps it. */
export function toFailure(error: Error): Failure {
  return { code: isQuerentError(error) ? error.code : error.name, message: error.message }
}

/** A leg as a trace keeps it: without documents, whose text must not leave by way of a log. */
export function toLegTrace(leg: TimedLeg): LegTrace {
  const { retriever, subQuery, ms } = leg
  if (leg.error !== undefined)
    return { retriever, subQuery, status: legStatus(leg), ms, error: toFailure(leg.error) }
  const hits = leg.hits.map(({ docid, score }) => ({ docid, score }))
  const { incomplete } = leg
  return { retriever, subQuery, status: 'ok', ms, hits, ...(incomplete !== undefined && { incomplete }) }
}

const stepsOf = <Type extends Step['type']>(steps: readonly Step[], type: Type): StepOf<Type>[] =>
  steps.filter((step): step is StepOf<Type> => step.type === type)

function timesOf(steps: readonly Step[], total: number): Times {
  const decided = stepsOf(steps, 'decide').at(-1)
  const fusing = stepsOf(steps, 'fuse').reduce((sum, { ms }) => sum + ms, 0)
  return {
    total,
    deciding: decided?.startMs ?? 0,
    retrieving: timeCovered(stepsOf(steps, 'retrieve')),
    fusing,
    reranking: stepsOf(steps, 'rerank').reduce((sum, { ms }) => sum + ms, 0),
  }
}

/** How long at least one of the intervals lasted. They stand in the order of their beginnings. */
function timeCovered(intervals: readonly { readonly startMs: number; readonly ms: number }[]): number {
  let covered = 0
  let end = 0
  for (const { startMs, ms } of intervals) {
    covered += Math.max(0, startMs + ms - Math.max(startMs, end))
    end = Math.max(end, startMs + ms)
  }
  return covered
}

function tokensOf(steps: readonly Step[]): { prompt: number; completion: number } {
  const asked = stepsOf(steps, 'ask')
  return {
    prompt: asked.reduce((sum, { tokens }) => sum + tokens.prompt, 0),
    completion: asked.reduce((sum, { tokens }) => sum + tokens.completion, 0),
  }
}
