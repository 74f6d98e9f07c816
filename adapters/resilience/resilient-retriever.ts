/** Any retriever with the limits, retries and breaker of its backend. */
import type { Leg, Retriever, SubQuery } from '../../src/types.ts'
import { mergeLegs } from './merge-legs.ts'
import type { ResilienceOptions } from './options.ts'
import { createResilience, type Resilience } from './resilience.ts'
import { isWorthRetrying } from './retryable.ts'

export type { BreakerOptions, ResilienceOptions } from './options.ts'
export { createResilience, type Resilience, type ResilienceState, type RunOptions } from './resilience.ts'

export interface ResilientRetriever extends Retriever {
  /** Its state, for health checks and metrics; and to be shared with whatever else asks the same backend. */
  readonly resilience: Resilience
}

/**
 * The same retriever: name, legs and `close` are its own. A batch that was rejected is asked again; of one in which some
 * legs failed with something that may pass, only their sub-queries are, and what was fine stays. All within the
 * `timeout` and the `signal` of the request.
 *
 * `options`: how, or a `Resilience` that others at the same backend use as well. Default: the defaults of
 * `ResilienceOptions`, with the retriever's name in error messages.
 *
 * @throws QuerentError `bad-config` for a wrong option
 */
export function resilient(
  retriever: Retriever,
  options: ResilienceOptions | Resilience = {},
): ResilientRetriever {
  const resilience =
    'run' in options ? options : createResilience({ name: `Retriever "${retriever.name}"`, ...options })
  return {
    name: retriever.name,
    ...(retriever.kind && { kind: retriever.kind }),
    ...(retriever.legs && { legs: retriever.legs }),
    ...(retriever.documents && { documents: retriever.documents }),
    ...(retriever.bringsDocuments !== undefined && { bringsDocuments: retriever.bringsDocuments }),
    resilience,
    async retrieve(subQueries, request) {
      const { signal, timeout } = request
      let legs: readonly Leg[] | undefined
      try {
        return await resilience.run(
          async (signal, timeout) => {
            const asked = legs === undefined ? subQueries : failedOf(subQueries, legs)
            const answer = await retriever.retrieve(asked, { ...request, signal, timeout })
            legs = legs === undefined ? answer : mergeLegs(subQueries, legs, answer)
            // Where nothing is fine the backend is not: that counts, as a rejected batch does.
            if (legs.length > 0 && legs.every(mayPass)) throw legs[0]?.error
            return legs
          },
          {
            ...(signal && { signal }),
            ...(timeout !== undefined && { timeout }),
            unfinished: (legs) => legs.find(mayPass)?.error,
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

/** Whether a leg failed with something that may pass. */
function mayPass({ error }: Leg): boolean {
  return error !== undefined && isWorthRetrying(error)
}

/** The sub-queries with a leg that is to be asked for again. */
function failedOf(subQueries: readonly SubQuery[], legs: readonly Leg[]): SubQuery[] {
  const texts = new Set(legs.filter(mayPass).map(({ subQuery }) => subQuery.text))
  return subQueries.filter(({ text }) => texts.has(text))
}
