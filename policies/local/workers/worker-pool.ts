/** The local policy's work in other threads, with the same results as in this thread. */

import { ownFile } from '../../../src/runtime/own-file.ts'
import { openThreads, type Threads } from '../../../src/runtime/threads.ts'
import type { Query, RankedList } from '../../../src/types.ts'
import type { LocalWork } from '../in-process.ts'
import type { DecideOptions } from '../local.ts'
import type { PolicyFile } from '../policy-file/policy-file.ts'
import { poolDocids } from '../rerank/pool.ts'
import type { PoolScores } from '../rerank/rerank.ts'
import type { Widen } from '../with-wider-pool.ts'
import { type DecideAnswer, packed, type Task, type ThreadData } from './serialize.ts'

interface Shared {
  readonly threads: Threads
  users: number
}

/** All users of the same policy in this process share its threads, because a process may wrap many clients. */
const opened = new Map<string, Shared>()

/** The threads start with the first search. */
export function threadedWork(
  policy: PolicyFile,
  options: DecideOptions,
  count: number,
): Required<Omit<LocalWork, 'explain'>> {
  const key = JSON.stringify([policy.digest, policy.rerank !== undefined, options, count])
  const shared = opened.get(key) ?? { threads: open(policy, options, count), users: 0 }
  opened.set(key, shared)
  shared.users++
  let isOpen = true
  /** A thread that leaves a query alone scores its list at once, which spares a message each way. */
  const scoredAhead = new WeakMap<
    Query,
    { readonly lists: readonly RankedList[]; readonly scores: PoolScores }
  >()
  const run = async (task: Task, query: object, signal: AbortSignal | undefined): Promise<unknown> =>
    shared.threads.run(task, query, signal)

  return {
    async decide(query, lists, documentOf, maxTexts, signal) {
      const found = packed(query, lists, documentOf)
      const task: Task = { kind: 'decide', maxTexts, found }
      const { decided, scores } = (await run(task, query, signal)) as DecideAnswer
      if (scores !== undefined) scoredAhead.set(query, { lists, scores })
      return decided
    },
    widen: async (query, lists, documentOf, subQueries, signal) =>
      (await run(
        { kind: 'widen', subQueries, found: packed(query, lists, documentOf) },
        query,
        signal,
      )) as Awaited<ReturnType<Widen>>,
    async scores(query, lists, documentOf, signal) {
      const known = scoredAhead.get(query)
      if (known !== undefined && isSame(known.lists, lists)) return known.scores
      const found = packed(query, lists, documentOf, poolDocids(lists, query.text))
      return (await run({ kind: 'rerank', found }, query, signal)) as PoolScores
    },
    async close() {
      if (!isOpen) return
      isOpen = false
      if (--shared.users > 0) return
      opened.delete(key)
      await shared.threads.close()
    },
  }
}

const isSame = (some: readonly RankedList[], others: readonly RankedList[]): boolean =>
  some.length === others.length && some.every(({ hits }, place) => hits === others[place]!.hits)

function open({ terms, decision, rerank }: PolicyFile, options: DecideOptions, count: number): Threads {
  const policy = { terms, ...(decision && { decision }), ...(rerank && { rerank }) }
  return openThreads(ownFile('./worker.js', import.meta.url), {
    count,
    data: { policy, options } satisfies ThreadData,
  })
}
