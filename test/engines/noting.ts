/** What a policy did with its tools, without a change to what it does. */
import type { Policy } from '../../src/policy.ts'
import type { RankedList } from '../../src/types.ts'

interface Noting {
  readonly policy: Policy
  /** The lists that it fused last, in their order. */
  lists(): readonly RankedList[]
  /** How many texts it wanted searched beside the query as it is, in its last search. */
  others(): number
}

export function noting(policy: Policy): Noting {
  let lists: readonly RankedList[] = []
  let others = 0
  return {
    lists: () => lists,
    others: () => others,
    policy: {
      ...policy,
      run(query, tools) {
        others = 0
        return policy.run(query, {
          ...tools,
          retrieve(subQueries, request) {
            const texts = subQueries.map(({ text }) => text)
            others = new Set(texts.filter((text) => text !== query.text)).size
            return tools.retrieve(subQueries, request)
          },
          fuse(legs, request) {
            const failed = legs.find(({ error }) => error !== undefined)
            if (failed !== undefined) throw failed.error
            lists = legs.filter((leg) => leg.error === undefined)
            return tools.fuse(legs, request)
          },
        })
      },
    },
  }
}
