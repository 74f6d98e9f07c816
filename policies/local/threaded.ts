/** The local policy's work in other threads, with the same results as in this thread. */

import { openThreads, type Threads } from '../../src/runtime/threads.ts'
import type { Decide, Decided, LocalOptions } from './local.ts'
import { packed, type Task, type ThreadData } from './packed.ts'
import type { PolicyFile } from './policy-file.ts'
import { poolDocids } from './rerank/pool.ts'
import type { PoolScores, ScorePool } from './rerank/rerank.ts'
import type { Widen } from './with-wider-pool.ts'

export interface ThreadedWork {
  readonly decide: Decide<Promise<Decided>>
  readonly widen: Widen<ReturnType<Widen>>
  readonly scores: ScorePool<Promise<PoolScores>>
  /** Ends the threads, unless other policies still use them. */
  close(): Promise<void>
}

interface Shared {
  readonly threads: Threads
  users: number
}

/** All users of the same policy in this process share its threads, because a process may wrap many clients. */
const opened = new Map<string, Shared>()

/** The threads start with the first search. */
export function threadedWork(policy: PolicyFile, options: LocalOptions, count: number): ThreadedWork {
  const key = JSON.stringify([policy.digest, options, count])
  const shared = opened.get(key) ?? { threads: open(policy, options, count), users: 0 }
  opened.set(key, shared)
  shared.users++
  let isOpen = true
  const run = async (task: Task, query: object, signal: AbortSignal | undefined): Promise<unknown> =>
    shared.threads.run(task, query, signal)

  return {
    decide: async (query, lists, documentOf, ahead, signal) =>
      (await run(
        { kind: 'decide', ahead, found: packed(query, lists, documentOf) },
        query,
        signal,
      )) as Decided,
    widen: async (query, lists, documentOf, subQueries, signal) =>
      (await run(
        { kind: 'widen', subQueries, found: packed(query, lists, documentOf) },
        query,
        signal,
      )) as Awaited<ReturnType<Widen>>,
    scores: async (query, lists, documentOf, given, signal) =>
      (await run(
        { kind: 'rerank', given, found: packed(query, lists, documentOf, poolDocids(lists, query.text)) },
        query,
        signal,
      )) as PoolScores,
    async close() {
      if (!isOpen) return
      isOpen = false
      if (--shared.users > 0) return
      opened.delete(key)
      await shared.threads.close()
    },
  }
}

function open({ terms, decision, rerank }: PolicyFile, options: LocalOptions, count: number): Threads {
  const policy = { terms, ...(decision && { decision }), ...(rerank && { rerank }) }
  return openThreads(new URL('./thread.js', import.meta.url), {
    count,
    data: { policy, options } satisfies ThreadData,
  })
}
