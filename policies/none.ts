/**
 * The original query alone: Querent's fallback, and the baseline of every comparison.
 *
 * @module querent/policies/none
 */
import type { Policy } from '../src/policy.ts'
import { shipped } from '../src/shipped.ts'

export function none(): Policy {
  return shipped<Policy>({
    name: 'none',
    reads: false,
    async run(_query, tools) {
      return { hits: tools.fuse(await tools.original()) }
    },
  })
}
