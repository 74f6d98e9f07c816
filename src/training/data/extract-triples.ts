/** Puts the documents of a corpus as facts for SPARKLE, with a language model. Finished documents are kept whatever happens. */
import { z } from 'zod'
import { type Extracted, extractPrompt } from '../../../policies/sparkle/extract-prompt.ts'
import { toError } from '../../errors.ts'
import { identifier, parseRecord } from '../../evaluation/json-lines.ts'
import { openLineJournal } from '../../evaluation/line-journal.ts'
import { runPrompt, type Usage } from '../../prompt.ts'
import type { ChatModel, Document, Tokens } from '../../types.ts'

export interface ExtractOptions {
  readonly model: ChatModel
  /** The file to continue or to begin: a line for each document, as `readTriples` reads it. */
  readonly out: string
  /** The first so many documents of the corpus. Default: all. */
  readonly limit?: number | undefined
  /** Documents at a time. Default: 4. */
  readonly concurrency?: number | undefined
  readonly signal: AbortSignal
  /** Called with the number of documents that are done, those of earlier runs among them. */
  readonly onProgress?: (done: number) => void
}

export interface ExtractReport {
  /** Documents in the file now, and those that were there before. */
  readonly documents: number
  readonly before: number
  /** Facts and dropped lines of this run. */
  readonly triples: number
  readonly malformed: number
  /** Documents for which the model gave nothing usable. They are not in the file, so the next run tries them again. */
  readonly failed: number
  /** Why the first of them failed. */
  readonly firstFailure: Error | undefined
  readonly tokens: Tokens
}

/** Failures one after the other, without a success in between, that end the work: the server is down. */
const mostFailures = 20

/**
 * Writes the facts of each document that is not in the file yet, in the order in which they are finished.
 *
 * @throws the signal's reason; the model's own error after 20 failures in a row; the errors of `openLineJournal` and of the corpus
 */
export async function extractTriples(
  documents: AsyncIterable<Document>,
  { model, out, limit = Number.POSITIVE_INFINITY, concurrency = 4, signal, onProgress }: ExtractOptions,
): Promise<ExtractReport> {
  const journal = await openLineJournal(
    out,
    (line, number) => parseRecord(z.object({ docid: identifier }), line, out, number).docid,
  )
  const before = journal.keys.size
  const sums = { triples: 0, malformed: 0, failed: 0, prompt: 0, completion: 0 }
  let firstFailure: Error | undefined
  let inARow = 0
  let done = 0
  let taken = 0
  const waiting = documents[Symbol.asyncIterator]()
  const stop = new AbortController()
  const ended = AbortSignal.any([signal, stop.signal])

  async function extract(document: Document): Promise<Extracted | undefined> {
    const usage: Usage = { attempts: 0, tokens: { prompt: 0, completion: 0 } }
    try {
      const extracted = await runPrompt(extractPrompt, document, {
        model,
        usage,
        signal: ended,
        onText: undefined,
      })
      inARow = 0
      return extracted
    } catch (thrown) {
      ended.throwIfAborted()
      sums.failed++
      firstFailure ??= toError(thrown)
      if (++inARow >= mostFailures) throw thrown
      return undefined
    } finally {
      sums.prompt += usage.tokens.prompt
      sums.completion += usage.tokens.completion
    }
  }

  /** Workers share one iterator, so each document is read once. */
  async function work(): Promise<void> {
    while (taken++ < limit) {
      ended.throwIfAborted()
      const { value: document, done: isOver } = await waiting.next()
      if (isOver) return
      const extracted = journal.keys.has(document.docid) ? undefined : await extract(document)
      if (extracted !== undefined) {
        const { triples, malformed } = extracted
        await journal.append(document.docid, JSON.stringify({ docid: document.docid, triples }))
        sums.triples += triples.length
        sums.malformed += malformed
      }
      onProgress?.(++done)
    }
  }

  try {
    const workers = Array.from({ length: concurrency }, () =>
      work().catch((error: unknown) => {
        stop.abort(error)
        throw error
      }),
    )
    const ends = await Promise.allSettled(workers)
    const failure = ends.find((end) => end.status === 'rejected')
    if (failure !== undefined) throw failure.reason
    const { triples, malformed, failed, ...tokens } = sums
    return { documents: journal.keys.size, before, triples, malformed, failed, firstFailure, tokens }
  } finally {
    await waiting.return?.()
    await journal.close()
  }
}
