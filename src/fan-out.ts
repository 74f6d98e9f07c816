/** Sub-queries × retrievers → legs: one call for each retriever, all at once, each within its deadline. */

import { checkedLegs } from './check-legs.ts'
import { subQueryKey } from './dedupe.ts'
import { isQuerentError, QuerentError, toError } from './errors.ts'
import { callSafely } from './runtime/call-safely.ts'
import type { Clock } from './runtime/clock.ts'
import { borrowDeadline, openDeadline, untilAborted } from './runtime/deadline.ts'
import type { Leg, Retriever, SubQuery } from './types.ts'

export interface FanOutOptions {
  /** Depth of a leg. Hits beyond it are cut. */
  readonly k: number
  readonly filter?: unknown
  /** Milliseconds that a retriever has for its batch. */
  readonly timeout: number
  /** Ends all legs that are still under way; their legs carry its reason. */
  readonly signal: AbortSignal
  readonly clock: Clock
  /**
   * Called for each leg as soon as its retriever answers, fails or times out, while others may still be under way. Exceptions
   * are ignored.
   */
  readonly onLeg?: ((leg: TimedLeg) => void) | undefined
  /** Called when a retriever answers after its answer is no longer needed. */
  readonly onDropped?: (() => void) | undefined
}

/** A leg, and the milliseconds that its retriever took. */
export type TimedLeg = Leg & { readonly ms: number }

/**
 * Searches all sub-queries in all retrievers. Never rejects: a leg that failed or timed out carries its error.
 * Legs stand in the order of the retrievers, each in the order of the sub-queries. A sub-query with conditions, or
 * that gives up some, has legs only in retrievers that apply that.
 */
export async function fanOut(
  retrievers: readonly Retriever[],
  subQueries: readonly SubQuery[],
  options: FanOutOptions,
): Promise<TimedLeg[]> {
  if (subQueries.length === 0) return []
  const batches = await Promise.all(
    retrievers.map((retriever) => {
      const asked = subQueries.filter(
        ({ where, relaxed }) =>
          (where === undefined || retriever.narrows === true) &&
          (relaxed === undefined || retriever.relaxes === true),
      )
      return asked.length === 0 ? [] : searchBatch(retriever, asked, options)
    }),
  )
  return withoutTwins(batches.length === 1 ? batches[0]! : batches.flat())
}

/** Of two legs with the same retriever and sub-query only the first counts: a hit's provenance could not tell them apart. */
function withoutTwins(legs: readonly TimedLeg[]): TimedLeg[] {
  return legs.map((leg, place) => {
    const { retriever, kind, subQuery, ms } = leg
    const key = subQueryKey(subQuery)
    const first = legs.findIndex((one) => one.retriever === retriever && subQueryKey(one.subQuery) === key)
    if (leg.error !== undefined || first === place) return leg
    const error = new QuerentError('bad-list', `"${subQuery.text}" has two lists of the name "${retriever}"`)
    return { retriever, ...(kind && { kind }), subQuery, error, ms }
  })
}

/** All sub-queries in one retriever. */
async function searchBatch(
  retriever: Retriever,
  subQueries: readonly SubQuery[],
  { k, filter, timeout, signal, clock, onLeg, onDropped }: FanOutOptions,
): Promise<TimedLeg[]> {
  const start = clock.now()
  // Without a deadline of its own, a batch ends with the search.
  const deadline = Number.isFinite(timeout)
    ? openDeadline(clock, { parent: signal, ms: timeout, what: `Retriever "${retriever.name}"` })
    : borrowDeadline(signal)
  const settings = { k, timeout, signal: deadline.signal, ...(filter === undefined ? {} : { filter }) }
  let legs: readonly Leg[]
  try {
    const asked = subQueries.map((subQuery) => ({ ...subQuery }))
    const answer = Promise.resolve(retriever.retrieve(asked, settings))
    legs = checkedLegs(retriever, subQueries, await untilAborted(answer, deadline.signal, onDropped), k)
    deadline.release()
  } catch (thrown) {
    deadline.cancel()
    const error = toError(thrown)
    const { name, kind } = retriever
    legs = subQueries.map((subQuery) => ({ retriever: name, ...(kind && { kind }), subQuery, error }))
  }
  const ms = clock.now() - start
  const timed = legs.map((leg): TimedLeg => ({ ms, ...leg }))
  if (onLeg !== undefined) for (const leg of withoutTwins(timed)) callSafely(onLeg, leg)
  return timed
}

/** How a leg ended. */
export function legStatus(leg: Leg): 'ok' | 'failed' | 'late' | 'aborted' {
  if (leg.error === undefined) return 'ok'
  if (isQuerentError(leg.error, 'deadline')) return 'late'
  return isQuerentError(leg.error, 'aborted') ? 'aborted' : 'failed'
}
