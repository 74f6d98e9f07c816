/** The query as it is: what Querent falls back to, and what everything else is compared with. */
import type { Policy } from '../src/tools.ts'

export function none(): Policy {
  return {
    name: 'none',
    reads: false,
    async run(_query, tools) {
      return { hits: tools.fuse(await tools.original()) }
    },
  }
}
