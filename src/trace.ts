/** Writes the trace of a search, step by step while it runs. `trace-schema.ts` reads it back. */

import { decisionOf, searchKey } from './dedupe.ts'
import { isQuerentError, toError } from './errors.ts'
import { legStatus, type TimedLeg } from './fan-out.ts'
import type { Watch } from './observe.ts'
import type { Clock } from './runtime/clock.ts'
import type {
  DecisionKind,
  FailedPrompt,
  Failure,
  Hit,
  LegTrace,
  Outcome,
  Query,
  ReadFilter,
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
type Timed = 'retrieve' | 'ask' | 'rerank'
/** A step before it is complete. */
type Begun<Type extends Step['type']> = Omit<StepOf<Type>, 'startMs' | 'ms'>

/** Writes the trace of one search. */
export interface Recorder {
  /**
   * Begins a step: the given object becomes the step. Steps stand in the order in which they begin; fields that are not known
   * yet may be filled in later.
   */
  begin<Type extends Timed>(step: Begun<Type>): Mutable<StepOf<Type>>
  /**
   * Runs the work of a step, and completes the step when it has ended. Whoever begins it follows it.
   *
   * @throws the error of `work`, which the step keeps
   */
  during<T>(step: Mutable<StepOf<Timed>>, work: () => Promise<T>): Promise<T>
  /** The same for a fusion, which is synchronous. */
  fuse<T extends { readonly length: number }>(step: Omit<Begun<'fuse'>, 'hits'>, work: () => T): T
  /** Delays the end of the trace until `work` has settled. Returns `work`. */
  follow<T>(work: Promise<T>): Promise<T>
  /** Records a decision. The last one counts. */
  decide(kind: DecisionKind, reason: string, details?: unknown): void
  /** Records texts that the policy retrieves: the decision, unless it records another. */
  retrieved(subQueries: readonly SubQuery[], reason: string): void
  /** Records which words were read as filters. */
  filter(read: readonly ReadFilter[], error?: Error): void
  /** Records that a leg that should have taken part is missing or incomplete. */
  markPartial(): void
  fallBack(failure: Failure): void
  finish(outcome: Outcome): Promise<Trace>
}

export function createRecorder(
  clock: Clock,
  query: Query,
  policy: string,
  watch: Watch | undefined,
): Recorder {
  const start = clock.now()
  const steps: Step[] = []
  const pending = new Set<Promise<unknown>>()
  const original: SubQuery = { text: query.text, round: 0 }
  const retrieved: SubQuery[] = []
  let reason: string | undefined
  let decided: Pick<Decision, 'kind' | 'reason'> | undefined
  let decidedMs: number | undefined
  let partial = false
  let fallback: Failure | undefined
  const elapsed = (): number => clock.now() - start

  function add<Added extends Step>(step: Added): Added {
    steps.push(step)
    watch?.stepStart(step)
    return step
  }

  function note(step: Step): void {
    add(step)
    watch?.step(step)
  }

  function follow<T>(work: Promise<T>): Promise<T> {
    // Settled in any case: a rejection that a policy never awaits must not end the process.
    const settle = (): void => void pending.delete(settled)
    const settled = work.then(settle, settle)
    pending.add(settled)
    return work
  }

  function decision(): Decision {
    if (fallback !== undefined) {
      const why = `without Querent: ${fallback.message}`
      return { kind: 'as-is', reason: why, subQueries: [original] }
    }
    const subQueries = retrieved.length === 0 ? [original] : retrieved
    const why = reason ?? 'the policy searched no other words'
    return {
      kind: decisionOf(
        query.text,
        subQueries.map(({ text }) => text),
      ),
      reason: why,
      subQueries,
      ...decided,
    }
  }

  return {
    follow,

    begin: <Type extends Timed>(begun: Begun<Type>) =>
      add(Object.assign(begun, { startMs: elapsed(), ms: 0 }) as unknown as StepOf<Type>),

    async during(step, work) {
      try {
        return await work()
      } catch (thrown) {
        if (step.type !== 'retrieve') step.error = toFailure(toError(thrown))
        throw thrown
      } finally {
        step.ms = elapsed() - step.startMs
        watch?.step(step)
      }
    },

    fuse(begun, work) {
      const startMs = elapsed()
      const fused = work()
      note(Object.assign(begun, { startMs, ms: elapsed() - startMs, hits: fused.length }))
      return fused
    },

    decide(kind, why, details) {
      decided = { kind, reason: why }
      decidedMs = elapsed()
      note({ type: 'decide', startMs: decidedMs, ...decided, ...(details !== undefined && { details }) })
    },

    retrieved(subQueries, why) {
      decidedMs ??= elapsed()
      reason = why
      if (retrieved.length === 0) retrieved.push(...subQueries)
      else {
        const known = new Set(retrieved.map(({ text }) => searchKey(text)))
        retrieved.push(...subQueries.filter(({ text }) => !known.has(searchKey(text))))
      }
    },

    filter(read, error) {
      note({ type: 'filter', startMs: elapsed(), read, ...(error && { error: toFailure(error) }) })
    },

    markPartial() {
      partial = true
    },

    fallBack(failure) {
      fallback = failure
      note({ type: 'fallback', startMs: elapsed(), error: failure })
    },

    async finish({ hits, ...outcome }) {
      const total = elapsed()
      await Promise.all(pending)
      const { kind, reason, subQueries } = decision()
      const trace: Trace = {
        version: 2,
        query,
        policy,
        kind,
        reason,
        subQueries,
        partial,
        steps,
        times: timesOf(steps, total, decidedMs ?? 0),
        tokens: tokensOf(steps),
        ...usdOf(steps),
        outcome: { hits: hits.map(withoutDocument), ...outcome },
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

/** The prompts without a usable answer. A language model that re-ranks is left out: its failure is the re-ranker's. */
export function failedPrompts({ steps }: Pick<Trace, 'steps'>): FailedPrompt[] {
  const told = stepsOf(steps, 'rerank').flatMap(({ error }) => error?.message ?? [])
  return stepsOf(steps, 'ask').flatMap(({ prompt, error }) =>
    error !== undefined && !told.includes(error.message) ? [{ prompt, error }] : [],
  )
}

/** An error as a trace keeps it. */
export function toFailure(error: Error): Failure {
  return { code: isQuerentError(error) ? error.code : error.name, message: error.message }
}

/** A leg as a trace keeps it: without documents, whose text must not leave by way of a log. */
export function toLegTrace(leg: TimedLeg): LegTrace {
  const { retriever, kind, subQuery, ms } = leg
  const ofKind = kind && { kind }
  if (leg.error !== undefined)
    return { retriever, subQuery, ms, status: legStatus(leg), error: toFailure(leg.error), ...ofKind }
  const hits = leg.hits.map(({ docid, score }) => ({ docid, score }))
  const { incomplete } = leg
  return {
    retriever,
    subQuery,
    ms,
    status: 'ok',
    hits,
    ...ofKind,
    ...(incomplete !== undefined && { incomplete }),
  }
}

const stepsOf = <Type extends Step['type']>(steps: readonly Step[], type: Type): StepOf<Type>[] =>
  steps.filter((step): step is StepOf<Type> => step.type === type)

function timesOf(steps: readonly Step[], total: number, deciding: number): Times {
  const fusing = stepsOf(steps, 'fuse').reduce((sum, { ms }) => sum + ms, 0)
  return {
    total,
    deciding,
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

/** The cost of all prompts, if one of them has a price. */
function usdOf(steps: readonly Step[]): Pick<Trace, 'usd'> {
  const costs = stepsOf(steps, 'ask').flatMap(({ usd }) => usd ?? [])
  return costs.length === 0 ? {} : { usd: costs.reduce((sum, cost) => sum + cost, 0) }
}

function tokensOf(steps: readonly Step[]): { prompt: number; completion: number } {
  const asked = stepsOf(steps, 'ask')
  return {
    prompt: asked.reduce((sum, { tokens }) => sum + tokens.prompt, 0),
    completion: asked.reduce((sum, { tokens }) => sum + tokens.completion, 0),
  }
}
