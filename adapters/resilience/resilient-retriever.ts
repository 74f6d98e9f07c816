/**
 * `querent/resilience`: wraps any retriever with the limits, retries and breaker of its backend.
 *
 * @module querent/resilience
 */
import type { Leg, Retriever, SubQuery } from '../../src/types.ts'
import { declared } from './declared.ts'
import { keyOf, mergeLegs } from './merge-legs.ts'
import type { ResilienceOptions } from './options.ts'
import { createResilience, type Resilience } from './resilience.ts'
import { isRetryable } from './retryable.ts'

export type { Work } from './attempt.ts'
export type { BreakerOptions, ResilienceOptions } from './options.ts'
export { createResilience, type Resilience, type ResilienceState, type RunOptions } from './resilience.ts'

export interface ResilientRetriever extends Retriever {
  /** Its state is for health checks and metrics. Pass it to everything else that calls the same backend. */
  readonly resilience: Resilience
}

/**
 * Wraps a retriever, and keeps its name, its legs and its `close`. Sends a rejected batch again. If only some legs failed with an
 * error that may be temporary, sends only their sub-queries again, and keeps the other legs. All retries happen within the
 * `timeout` and the `signal` of the request.
 *
 * @param options options, or a `Resilience` that other callers of the same backend use too. Default: the defaults of
 *   `ResilienceOptions`, with the retriever's name in error messages
 * @throws QuerentError `bad-config` for a wrong option
 */
export function resilient(
  retriever: Retriever,
  options: ResilienceOptions | Resilience = {},
): ResilientRetriever {
  const resilience =
    'run' in options ? options : createResilience({ name: `Retriever "${retriever.name}"`, ...options })
  return {
    ...declared(retriever),
    resilience,
    async retrieve(subQueries, request) {
      const { signal, timeout } = request
      let legs: readonly Leg[] | undefined
      try {
        return await resilience.run(
          async (signal, timeout) => {
            const missing = legs === undefined ? subQueries : failedOf(subQueries, legs)
            const answer = await retriever.retrieve(missing, { ...request, signal, timeout })
            legs = legs === undefined ? answer : mergeLegs(subQueries, legs, answer)
            // If all legs failed, the backend failed. The thrown error counts like a rejected batch.
            if (legs.length > 0 && legs.every(mayPass)) throw legs[0]?.error
            return legs
          },
          {
            ...(signal && { signal }),
            ...(timeout !== undefined && { timeout }),
            errorIn: (legs) => legs.find(mayPass)?.error,
          },
        )
      } catch (error) {
        if (legs === undefined || signal?.aborted) throw error
        return legs
      }
    },
    ...(retriever.close && { close: () => retriever.close!() }),
  }
}

/** Whether a leg failed with an error that may be temporary. */
function mayPass({ error }: Leg): boolean {
  return error !== undefined && isRetryable(error)
}

/** The sub-queries with a leg to retry. */
function failedOf(subQueries: readonly SubQuery[], legs: readonly Leg[]): SubQuery[] {
  const failed = new Set(legs.filter(mayPass).map(({ subQuery }) => keyOf(subQuery)))
  return subQueries.filter((subQuery) => failed.has(keyOf(subQuery)))
}
