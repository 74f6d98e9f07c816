/**
 * Queues searches for the retrievers. Concurrent requests for the same search share it. Queued searches are sent to the
 * retrievers in batches, one batch after the other. Searches that no request needs any longer are dropped.
 */
import { setImmediate } from 'node:timers/promises'
import { fanOut } from '../../fan-out.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Leg, RankedList, Retriever } from '../../types.ts'
import { type SearchedLists, searchedListsOf } from './searched-lists.ts'

/** One search: a text, and the number of hits requested from each retriever. */
export interface Search {
  readonly text: string
  readonly k: number
}

export interface BatchesOptions {
  readonly retrievers: readonly Retriever[]
  /** Timeout of a retriever per batch, in milliseconds. */
  readonly timeout: number
  /** Maximum number of searches per batch. */
  readonly batchSize: number
  readonly clock: Clock
  /** Called with the lists of a search before its waiters receive them. Not called if a retriever failed. */
  readonly onFound: (key: string, lists: readonly RankedList[]) => void
  /** Called after each batch. Must not throw. */
  readonly onBatch?: ((batch: { readonly ms: number }) => void) | undefined
}

/** A queued or running search. */
export interface Waiting {
  readonly found: Promise<SearchedLists>
  /**
   * Each waiter must call this once, when it stops waiting. A queued search without waiters is dropped. A running batch is
   * aborted when none of its searches has waiters.
   */
  leave(): void
}

export interface Batches {
  /** Joins the queued or running search with this key, or adds a new one. */
  enter(key: string, search: Search): Waiting
  /** Whether a search with this key is queued or running. */
  has(key: string): boolean
  /** Number of searches queued or running. */
  size(): number
}

interface Entry extends Search, Waiting {
  readonly key: string
  readonly settle: (found: SearchedLists) => void
  /** Number of requests that wait for this search. */
  waiters: number
  /** The batch that contains this search, once it is running. */
  batch?: { readonly controller: AbortController; readonly searches: readonly Entry[] }
}

export function createBatches(options: BatchesOptions): Batches {
  const { retrievers, timeout, batchSize, clock, onFound, onBatch } = options
  /** In order of arrival. */
  const entries = new Map<string, Entry>()
  let running = false

  function add(key: string, search: Search): Entry {
    let settle!: Entry['settle']
    const found = new Promise<SearchedLists>((resolve) => {
      settle = resolve
    })
    const entry: Entry = { ...search, key, found, settle, waiters: 0, leave: () => leave(entry) }
    entries.set(key, entry)
    return entry
  }

  function leave(entry: Entry): void {
    entry.waiters--
    if (entry.waiters > 0 || !isWaiting(entry)) return
    const { batch } = entry
    if (batch === undefined) entries.delete(entry.key)
    else if (batch.searches.every(({ waiters }) => waiters === 0)) {
      for (const { key } of batch.searches) entries.delete(key)
      batch.controller.abort()
    }
  }

  /** Whether an entry is neither answered nor dropped. After that, another entry may have the same key. */
  const isWaiting = (entry: Entry): boolean => entries.get(entry.key) === entry

  async function run(): Promise<void> {
    if (running) return
    running = true
    try {
      while (entries.size > 0) {
        // Let pending requests arrive first: they may join this batch or cancel their searches.
        await setImmediate()
        const batch = nextBatch()
        if (batch.length > 0) await searchBatch(batch)
      }
    } finally {
      running = false
    }
  }

  /** The first queued searches that share one depth. */
  function nextBatch(): Entry[] {
    const batch: Entry[] = []
    for (const entry of entries.values()) {
      if (batch.length === batchSize) break
      if (batch.length === 0 || entry.k === batch[0]!.k) batch.push(entry)
    }
    return batch
  }

  async function searchBatch(batch: readonly Entry[]): Promise<void> {
    const controller = new AbortController()
    for (const entry of batch) entry.batch = { controller, searches: batch }
    const start = clock.now()
    const legs: readonly Leg[] = await fanOut(
      retrievers,
      batch.map(({ text }) => ({ text, round: 1 })),
      { k: batch[0]!.k, timeout, signal: controller.signal, clock },
    )
    for (const entry of batch) {
      const found = searchedListsOf(legs.filter(({ subQuery }) => subQuery.text === entry.text))
      if (!(found instanceof Error)) onFound(entry.key, found)
      if (isWaiting(entry)) entries.delete(entry.key)
      entry.settle(found)
    }
    onBatch?.({ ms: clock.now() - start })
  }

  return {
    enter(key, search) {
      const entry = entries.get(key) ?? add(key, search)
      entry.waiters++
      void run()
      return entry
    },
    has: (key) => entries.has(key),
    size: () => entries.size,
  }
}
