/**
 * Searches sub-queries for rewards. Results come from a cache if possible; other searches wait in a bounded queue and go to
 * the retrievers in batches. Rollouts of one query repeat each other's sub-queries. Batches combine the searches of all
 * requests, so trainers that send one answer per request benefit too.
 */
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { count, parseConfig } from '../../config.ts'
import { QuerentError } from '../../errors.ts'
import { type Clock, systemClock } from '../../runtime/clock.ts'
import { untilAborted } from '../../runtime/deadline.ts'
import type { RankedList, Retriever } from '../../types.ts'
import { createBatches, type Search, type Waiting } from './batches.ts'
import { defaultTopk } from './reward.ts'
import { bytesOf, type SearchedLists } from './searched-lists.ts'

export interface SearcherOptions {
  readonly retrievers: readonly Retriever[]
  /** Identifies the index in the cache's keys. */
  readonly indexDigest: string
  /** Maximum number of searches in the cache. Default: 200,000. */
  readonly cacheEntries?: number
  /** Maximum size of the cache in bytes, estimated. Default: 512 MiB. */
  readonly cacheBytes?: number
  /** Timeout of a retriever per batch, in milliseconds. Default: 60,000. */
  readonly timeout?: number
  /** Searches per batch. Default: 32. */
  readonly batchSize?: number
  /**
   * Maximum number of distinct searches per request; all their lists stay in memory until the last one arrives. Default:
   * 32,768.
   */
  readonly maxSearches?: number
  /** Maximum number of distinct searches queued or running for all requests, at least `maxSearches`. Default: 65,536. */
  readonly maxQueued?: number
  readonly clock?: Clock
  /** Called after each batch. Must not throw. */
  readonly onBatch?: (batch: { readonly ms: number }) => void
}

export interface SearcherCounts {
  /** Numbers of searches: answered by the cache (`hits`), new (`misses`), and joined to a queued or running one (`joined`). */
  readonly hits: number
  readonly misses: number
  readonly joined: number
  readonly entries: number
  readonly bytes: number
  /** Number of searches queued or running. */
  readonly waiting: number
}

export interface Searcher {
  /**
   * Returns one result per search, in order. Only the first 1,024 words of a text are searched, as in ConvSearch-R1's
   * training.
   *
   * @throws the signal's reason. Searches that no request needs any longer are dropped. QuerentError `budget-exceeded` for too many
   * searches in one request, `retriever-failed` while the queue is full
   */
  search(searches: readonly Search[], signal: AbortSignal): Promise<SearchedLists[]>
  counts(): SearcherCounts
}

/** Maximum number of words of a text that are searched. */
export const maxQueryWords = 1024

/** All sizes are integers above 0. */
const sizesSchema = z.object({
  cacheEntries: count,
  cacheBytes: count,
  batchSize: count,
  maxSearches: count,
  maxQueued: count,
})

/** @throws QuerentError `bad-config` for sizes that are not integers above 0 */
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
  // Without its option `max`, which reserves room for all entries at once: that takes longer than to start everything else.
  const cache = new LRUCache<string, readonly RankedList[]>({
    maxSize: cacheBytes,
    sizeCalculation: (lists, key) => bytesOf(lists, key),
  })
  function onFound(key: string, lists: readonly RankedList[]): void {
    cache.set(key, lists)
    if (cache.size > cacheEntries) cache.pop()
  }
  const batches = createBatches({ retrievers, timeout, batchSize, clock, onFound, onBatch })
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
        const found = places.map((place) => ('found' in place ? place.found : place))
        return await untilAborted(Promise.all(found), signal)
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

/** @throws QuerentError `budget-exceeded` */
function checkSize(searches: readonly Search[], limit: number): void {
  if (sizeOf(searches) <= limit) return
  // Rollouts of one query repeat each other's searches; duplicates are stored once.
  const different = new Map(searches.map((search) => [`${search.k} ${search.text}`, search]))
  if (sizeOf([...different.values()]) <= limit) return
  throw new QuerentError('budget-exceeded', `The request asks for more than ${limit} different searches`, {
    remedy: 'Send fewer items at a time; a search deeper than 100 counts as several.',
  })
}

/** The size of searches in units of 100 hits: a list of 1,000 hits counts as ten. */
const sizeOf = (searches: readonly Search[]): number =>
  searches.reduce((sum, { k }) => sum + Math.max(1, k / defaultTopk), 0)

function firstWords(text: string, limit: number): string {
  // Shorter texts cannot have more words.
  if (text.length < 2 * limit) return text
  const words = text.trim().split(/\s+/)
  return words.length <= limit ? text : words.slice(0, limit).join(' ')
}
