/** Puts the documents of a corpus as facts for SPARKLE, with a language model. Finished documents are kept whatever happens. */
import { z } from 'zod'
import { identifier, parseRecord } from '../../evaluation/json-lines.ts'
import { runPrompt, type Usage } from '../../prompt.ts'
import type { ChatModel, Document, Tokens } from '../../types.ts'
import { workThrough } from '../work-through.ts'
import { extractPrompt } from './extract-prompt.ts'

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

/**
 * Writes the facts of each document that is not in the file yet, in the order in which they are finished.
 *
 * @throws as `workThrough` does
 */
export async function extractTriples(
  documents: AsyncIterable<Document>,
  { model, ...options }: ExtractOptions,
): Promise<ExtractReport> {
  const sums = { triples: 0, malformed: 0 }
  const tokens = { prompt: 0, completion: 0 }
  const { items, ...report } = await workThrough(documents, {
    ...options,
    keyOf: ({ docid }) => docid,
    keyOfLine: (line, number) => parseRecord(lineSchema, line, options.out, number).docid,
    lineBegins: '{"docid":"',
    async work(document, signal) {
      const usage: Usage = { attempts: 0, tokens: { prompt: 0, completion: 0 } }
      try {
        const run = { model, usage, signal, onText: undefined }
        const { triples, malformed } = await runPrompt(extractPrompt, document, run)
        sums.triples += triples.length
        sums.malformed += malformed
        return JSON.stringify({ docid: document.docid, triples })
      } finally {
        tokens.prompt += usage.tokens.prompt
        tokens.completion += usage.tokens.completion
      }
    },
  })
  return { documents: items, ...report, ...sums, tokens }
}

const lineSchema = z.object({ docid: identifier, triples: z.array(z.unknown()) })
