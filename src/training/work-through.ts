/** Long work on many items, several at a time. What is finished is in a file, whatever happens, and is not done again. */
import { toError } from '../errors.ts'
import { openLineJournal } from '../evaluation/line-journal.ts'
import { runWorkers } from '../runtime/workers.ts'

export interface WorkOptions<Item> {
  /** The file to continue or to begin: a line for each item that is done. */
  readonly out: string
  readonly keyOf: (item: Item) => string
  /** The key of a line of the file; may throw. */
  readonly keyOfLine: (line: string, number: number) => string
  /** What each line begins with: a file without a whole line is continued only if it begins so. */
  readonly lineBegins: string
  /** Makes the line of an item. If it rejects, the item has failed: it is not in the file, and the next run tries it again. */
  readonly work: (item: Item, signal: AbortSignal) => Promise<string>
  /** The first so many items. Default: all. */
  readonly limit?: number | undefined
  /** Items at a time. Default: 4. */
  readonly concurrency?: number | undefined
  readonly signal: AbortSignal
  /** Called with the number of items that are done, those of earlier runs among them. */
  readonly onProgress?: ((done: number) => void) | undefined
}

export interface WorkReport {
  /** Items in the file now, and those that were there before. */
  readonly items: number
  readonly before: number
  readonly failed: number
  /** Why the first of them failed. */
  readonly firstFailure: Error | undefined
}

/** Failures one after the other, without a success in between, that end the work: a server is down. */
const mostFailures = 20

/**
 * Works through the items. Lines are written in the order in which they are finished.
 *
 * @throws the signal's reason; the error of `work` after 20 failures in a row; the errors of `openLineJournal` and of the items
 */
export async function workThrough<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  {
    out,
    keyOf,
    keyOfLine,
    lineBegins,
    work,
    limit = Number.POSITIVE_INFINITY,
    concurrency = 4,
    signal,
    onProgress,
  }: WorkOptions<Item>,
): Promise<WorkReport> {
  const journal = await openLineJournal(out, keyOfLine, lineBegins, { signal })
  const before = journal.keys.size
  let failed = 0
  let firstFailure: Error | undefined
  let inARow = 0
  let done = 0
  let taken = 0
  const waiting = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()

  async function tried(item: Item, ended: AbortSignal): Promise<string | undefined> {
    try {
      const line = await work(item, ended)
      inARow = 0
      return line
    } catch (thrown) {
      ended.throwIfAborted()
      failed++
      firstFailure ??= toError(thrown)
      if (++inARow >= mostFailures) throw thrown
      return undefined
    }
  }

  /** Workers share one iterator, so each item is taken once. */
  async function worker(ended: AbortSignal): Promise<void> {
    while (taken++ < limit) {
      ended.throwIfAborted()
      const next = await waiting.next()
      if (next.done) return
      const key = keyOf(next.value)
      const line = journal.keys.has(key) ? undefined : await tried(next.value, ended)
      if (line !== undefined) await journal.append(key, line)
      onProgress?.(++done)
    }
  }

  try {
    await runWorkers(concurrency, signal, worker)
    return { items: journal.keys.size, before, failed, firstFailure }
  } finally {
    await waiting.return?.()
    await journal.close()
  }
}
