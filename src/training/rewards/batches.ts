/**
 * Searches that wait for the retrievers. The same one is never under way twice, and those that wait go to the retrievers in
 * batches, one after the other. What nobody waits for any more is dropped.
 */
import { setImmediate } from 'node:timers/promises'
import { fanOut } from '../../fan-out.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Leg, RankedList, Retriever } from '../../types.ts'
import { type Found, foundOf } from './found.ts'

/** One text, and how many hits of each retriever are wanted. */
export interface Search {
  readonly text: string
  readonly k: number
}

export interface BatchesOptions {
  readonly retrievers: readonly Retriever[]
  /** Milliseconds a retriever has for a batch. */
  readonly timeout: number
  /** Searches of one batch at the most. */
  readonly batchSize: number
  readonly clock: Clock
  /** Called with what a search has found, before those who wait for it have it. Not called where a retriever failed. */
  readonly onFound: (key: string, lists: readonly RankedList[]) => void
  /** Called after each batch; it must not throw. */
  readonly onBatch?: ((batch: { readonly ms: number }) => void) | undefined
}

/** A search that is waiting or under way. */
export interface Waiting {
  readonly found: Promise<Found>
  /** To be called once by each who has waited: with the last of them it is dropped, and so is a batch of nothing else. */
  leave(): void
}

export interface Batches {
  /** Waits for a search: for the one with this key that is waiting or under way, or for a new one. */
  enter(key: string, search: Search): Waiting
  /** Whether a search with this key is waiting or under way. */
  has(key: string): boolean
  /** How many are waiting or under way. */
  size(): number
}

interface Entry extends Search, Waiting {
  readonly key: string
  readonly settle: (found: Found) => void
  /** How many requests wait for it. */
  waiters: number
  /** The batch that it is in, once it is under way. */
  batch?: { readonly controller: AbortController; readonly searches: readonly Entry[] }
}

export function createBatches({
  retrievers,
  timeout,
  batchSize,
  clock,
  onFound,
  onBatch,
}: BatchesOptions): Batches {
  /** In the order of their arrival. */
  const entries = new Map<string, Entry>()
  let running = false

  function add(key: string, { text, k }: Search): Entry {
    let settle: (found: Found) => void = () => {}
    const found = new Promise<Found>((resolve) => {
      settle = resolve
    })
    const entry: Entry = { text, k, key, found, settle, waiters: 0, leave: () => leave(entry) }
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

  /** Not answered, and not dropped: then its key may be that of another one. */
  const isWaiting = (entry: Entry): boolean => entries.get(entry.key) === entry

  async function run(): Promise<void> {
    if (running) return
    running = true
    try {
      while (entries.size > 0) {
        // Others that have come in meanwhile are heard first: they join this batch, or do not want their searches any more.
        await setImmediate()
        const batch = nextBatch()
        if (batch.length > 0) await searchBatch(batch)
      }
    } finally {
      running = false
    }
  }

  /** The first that are waiting, of one depth. */
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
    const byText = new Map<string, Leg[]>()
    for (const leg of legs) {
      const others = byText.get(leg.subQuery.text)
      if (others === undefined) byText.set(leg.subQuery.text, [leg])
      else others.push(leg)
    }
    for (const entry of batch) {
      const found = foundOf(byText.get(entry.text) ?? [])
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
