/** Policies that decide what a test says: deterministic, and as cheap as can be. */
import type { AppOptions } from '../../adapters/apps/drop-in/run/settings.ts'
import type { Policy } from '../../src/policy.ts'

/** However slow the machine is, sub-queries are sent and waited for, and nothing passes through for it. */
export const patient = {
  concurrency: 200,
  maxDelay: 60_000,
  legTimeout: 60_000,
  resilience: { concurrency: 200, timeout: 60_000 },
} as const satisfies AppOptions

/** Leaves every query alone, as a policy that has looked at it does. */
export const leaving: Policy = {
  name: 'leaving',
  reads: false,
  async run(_query, tools) {
    return { hits: tools.fuse(await tools.original()) }
  },
}

/**
 * Searches these texts for every query, or those that are made of its words; the query as it is votes with them, unless it
 * is told not to.
 */
export function deciding(
  texts: readonly string[] | ((words: string) => readonly string[]),
  { withOriginal = true } = {},
): Policy {
  return {
    name: 'deciding',
    reads: false,
    async run({ text: words }, tools) {
      const chosen = typeof texts === 'function' ? texts(words) : texts
      const subQueries = chosen.map((text) => ({ text, round: 1 }))
      const legs = await tools.retrieve(subQueries, { reason: 'the test says so' })
      return { hits: tools.fuse(withOriginal ? [...(await tools.original()), ...legs] : legs) }
    },
  }
}
