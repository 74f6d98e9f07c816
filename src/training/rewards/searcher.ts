/**
 * Retrieval for rewards: what was searched before comes from a cache, and what is left goes to the retrievers in batches, as far
 * as there is room. Rollouts of one query repeat each other, and a trainer that sends one answer a request still has its
 * searches batched with those of the others.
 */
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { count, parseConfig } from '../../config.ts'
import { QuerentError } from '../../errors.ts'
import { type Clock, systemClock } from '../../runtime/clock.ts'
import { untilAborted } from '../../runtime/deadline.ts'
import type { RankedList, Retriever } from '../../types.ts'
import { createBatches, type Search, type Waiting } from './batches.ts'
import { bytesOf, type Found } from './found.ts'
import { defaultTopk } from './reward.ts'

export interface SearcherOptions {
  readonly retrievers: readonly Retriever[]
  /** What tells this index from others: part of the cache's keys. */
  readonly indexDigest: string
  /** Lists of so many searches are kept at the most. Default: 200,000. */
  readonly cacheEntries?: number
  /** Bytes that they may take, estimated. Default: 512 MiB. */
  readonly cacheBytes?: number
  /** Milliseconds a retriever has for a batch. Default: 60,000. */
  readonly timeout?: number
  /** Searches of one batch. Default: 32. */
  readonly batchSize?: number
  /** Different searches of one request, whose lists are all held until the last is found. Default: 32,768. */
  readonly maxSearches?: number
  /** Different searches of all requests that may wait at a time, not fewer than those of one. Default: 65,536. */
  readonly maxQueued?: number
  readonly clock?: Clock
  /** Called after each batch; it must not throw. */
  readonly onBatch?: (batch: { readonly ms: number }) => void
}

export interface SearcherCounts {
  /** Searches that were answered by the cache, that were not, and that joined one already under way. */
  readonly hits: number
  readonly misses: number
  readonly joined: number
  readonly entries: number
  readonly bytes: number
  /** Searches that are waiting or under way. */
  readonly waiting: number
}

export interface Searcher {
  /**
   * One answer a search, in their order. Of a text the first 1,024 words are searched, as ConvSearch-R1 does in training.
   *
   * @throws the signal's reason. Searches that nobody waits for any more are dropped. QuerentError `too-deep` for too many
   *   at once, `retriever-failed` while too many of others are waiting
   */
  search(searches: readonly Search[], signal: AbortSignal): Promise<Found[]>
  counts(): SearcherCounts
}

/** Words of a text that are searched. */
export const maxQueryWords = 1024

/** All of them count, and nothing of it can be nothing. */
const sizesSchema = z.object({
  cacheEntries: count,
  cacheBytes: count,
  batchSize: count,
  maxSearches: count,
  maxQueued: count,
})

/** @throws QuerentError `bad-config` for sizes that are not whole numbers above 0 */
export function createSearcher({
  retrievers,
  indexDigest,
  cacheEntries = 200_000,
  cacheBytes = 512 * 2 ** 20,
  timeout = 60_000,
  batchSize = 32,
  maxSearches = 32_768,
  maxQueued = 65_536,
  clock = systemClock,
  onBatch,
}: SearcherOptions): Searcher {
  const sizes = { cacheEntries, cacheBytes, batchSize, maxSearches, maxQueued }
  parseConfig(sizesSchema, sizes, 'The options of the reward server')
  const prefix = `${indexDigest} ${retrievers.map(({ name }) => name).join('+')}`
  const cache = new LRUCache<string, readonly RankedList[]>({
    max: cacheEntries,
    maxSize: cacheBytes,
    sizeCalculation: (lists, key) => bytesOf(lists, key),
  })
  const batches = createBatches({
    retrievers,
    timeout,
    batchSize,
    clock,
    onFound: (key, lists) => void cache.set(key, lists),
    onBatch,
  })
  const counts = { hits: 0, misses: 0, joined: 0 }

  function find({ text, k }: Search): readonly RankedList[] | Waiting {
    const searched = firstWords(text, maxQueryWords)
    const key = `${prefix} ${k} ${searched}`
    const cached = cache.get(key)
    if (cached !== undefined) {
      counts.hits++
      return cached
    }
    if (batches.has(key)) counts.joined++
    else counts.misses++
    return batches.enter(key, { text: searched, k })
  }

  return {
    async search(searches, signal) {
      signal.throwIfAborted()
      checkSize(searches, maxSearches)
      const places = searches.map(find)
      const open = places.filter((place) => 'found' in place)
      if (open.length === 0) return places as (readonly RankedList[])[]
      try {
        if (batches.size() > maxQueued) {
          throw new QuerentError('retriever-failed', `More than ${maxQueued} searches would wait`, {
            remedy: 'Ask again later.',
          })
        }
        return await untilAborted(
          Promise.all(places.map((place) => ('found' in place ? place.found : place))),
          signal,
        )
      } finally {
        for (const search of open) search.leave()
      }
    },
    counts: () => ({
      ...counts,
      entries: cache.size,
      bytes: cache.calculatedSize ?? 0,
      waiting: batches.size(),
    }),
  }
}

/** @throws QuerentError `too-deep` */
function checkSize(searches: readonly Search[], most: number): void {
  if (sizeOf(searches) <= most) return
  // Rollouts of one query repeat each other; what is the same is held once.
  const different = new Map(searches.map((search) => [`${search.k} ${search.text}`, search]))
  if (sizeOf([...different.values()]) <= most) return
  throw new QuerentError('too-deep', `The request asks for more than ${most} different searches`, {
    remedy: 'Send fewer items at a time; a search deeper than 100 counts as several.',
  })
}

/** A deeper list takes more room: one of 1,000 hits is as large as ten. */
const sizeOf = (searches: readonly Search[]): number =>
  searches.reduce((sum, { k }) => sum + Math.max(1, k / defaultTopk), 0)

function firstWords(text: string, most: number): string {
  // Shorter texts cannot hold more words than that.
  if (text.length < 2 * most) return text
  const words = text.trim().split(/\s+/)
  return words.length <= most ? text : words.slice(0, most).join(' ')
}
