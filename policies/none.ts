/** The original query alone: what Querent falls back to, and the baseline of every comparison. */
import type { Policy } from '../src/policy.ts'

export function none(): Policy {
  return {
    name: 'none',
    reads: false,
    async run(_query, tools) {
      return { hits: tools.fuse(await tools.original()) }
    },
  }
}
