/**
 * Re-ranking by a server with the protocol `POST /rerank` of Cohere, which Jina, Voyage, vLLM, LiteLLM and others share, or by
 * Hugging Face's text-embeddings-inference (TEI).
 *
 *     httpReranker({ url: 'https://api.jina.ai/v1', model: 'jina-reranker-v2-base-multilingual' })
 *
 * @module querent/rerank/http
 */
import { z } from 'zod'
import { count, parseConfig } from '../../src/config.ts'
import { QuerentError } from '../../src/errors.ts'
import type { Reranker } from '../../src/reranker.ts'
import { mapConcurrently } from '../../src/runtime/workers.ts'
import { fromEnvironment } from '../models/environment.ts'
import { callShape, serverAt } from '../models/openai-server.ts'
import { serverUrl } from '../models/server-url.ts'
import { pointwise } from './pointwise.ts'
import { rerankAnswer, scoresOf, wantsTexts } from './rerank-answer.ts'

export interface HttpRerankerOptions {
  /** The server with its version, such as `https://api.cohere.com/v2`; for TEI without one. Default: `QUERENT_RERANK_URL`. */
  readonly url?: string | undefined
  /** Default: `QUERENT_RERANK_MODEL`, else none is sent: some servers have one model only. */
  readonly model?: string | undefined
  /** Sent as bearer token. Default: `QUERENT_RERANK_API_KEY`, else none. */
  readonly apiKey?: string | undefined
  /** How many of the fused hits are re-ranked, 1,000 at most. The others follow in fused order. Default: 50. */
  readonly window?: number | undefined
  /** Documents of a request. TEI gets at most 32, its own limit. At most 4 requests of one search run at a time. Default: 100. */
  readonly batchSize?: number | undefined
  /** Characters of a document that are sent. Default: 4,000. */
  readonly maxCharacters?: number | undefined
  /** Milliseconds for all requests, including retries. Default: 3,000. */
  readonly timeout?: number | undefined
  /** Maximum number of retries after a temporary failure (no connection, 408, 409, 429, 5xx). Default: 1. */
  readonly retries?: number | undefined
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
}

const optionsSchema = z.strictObject({
  ...callShape,
  url: serverUrl.optional(),
  model: z.string().min(1).optional(),
  window: count.max(1000).default(50),
  batchSize: count.max(1000).default(100),
  maxCharacters: count.default(4000),
  timeout: z.number().positive().default(3000),
})

/** What TEI accepts in one request unless it was started with another `--max-client-batch-size`. */
const teiBatch = 32

const maxConcurrent = 4

/** Bytes of an answer. Some servers send the documents back. */
const maxAnswer = 32 * 2 ** 20

/**
 * Makes a re-ranker. Nothing is sent before the first search. If a search cannot be re-ranked (the server fails, is late, or
 * does not score each document once with a finite number), it keeps the fused order.
 *
 * @throws QuerentError `bad-config` that names every wrong option, or if there is no URL
 */
export function httpReranker(options: HttpRerankerOptions = {}): Reranker {
  const settings = parseConfig(optionsSchema, options, 'httpReranker')
  const { window, batchSize, maxCharacters, timeout } = settings
  const model = options.model ?? fromEnvironment('QUERENT_RERANK_MODEL')
  const what = model === undefined ? 'The re-ranker' : `Re-ranker "${model}"`
  const call = callsTo(settings)
  // Found out with the first request.
  let isTei = false

  async function scores(
    query: string,
    texts: readonly string[],
    signal: AbortSignal,
    asTei: boolean,
  ): Promise<number[]> {
    const size = asTei ? Math.min(batchSize, teiBatch) : batchSize
    const bodyOf = (batch: readonly string[]) =>
      // `top_n` is left out: all scores are needed, and Voyage calls it `top_k`.
      asTei ? { query, texts: batch, truncate: true } : { ...(model && { model }), query, documents: batch }
    const found = await mapConcurrently(batchesOf(texts, size), maxConcurrent, async (batch) =>
      scoresOf(await call(what, bodyOf(batch), signal), batch.length, what),
    )
    return found.flat()
  }

  return pointwise({
    what,
    waits: true,
    window,
    maxCharacters,
    timeout,
    async score(query, texts, signal) {
      // Another search may find it out before this one's answer is here.
      const wasTei = isTei
      try {
        return await scores(query, texts, signal, wasTei)
      } catch (error) {
        if (wasTei || !wantsTexts(error)) throw error
        isTei = true
        return scores(query, texts, signal, true)
      }
    },
  })
}

/** @throws QuerentError `bad-config` if there is no URL */
function callsTo({ url: given, apiKey, ...options }: z.output<typeof optionsSchema>) {
  const url = parseConfig(
    serverUrl.optional(),
    given ?? fromEnvironment('QUERENT_RERANK_URL'),
    'QUERENT_RERANK_URL',
  )
  if (url === undefined)
    throw new QuerentError('bad-config', 'No server is named for re-ranking', {
      remedy: 'Pass `url` or set QUERENT_RERANK_URL.',
    })
  const base = url.replace(/\/+$/, '').replace(/\/rerank$/, '')
  const { timeout, retries = 1, headers, fetch } = options
  const server = serverAt(
    base,
    apiKey ?? fromEnvironment('QUERENT_RERANK_API_KEY'),
    { timeout, retries, fetch: limited(fetch ?? globalThis.fetch), ...(headers && { headers }) },
    retries,
  )
  return (what: string, body: Readonly<Record<string, unknown>>, signal: AbortSignal) =>
    server.call({ what, failure: 'rerank-failed', path: '/rerank', body, schema: rerankAnswer, signal })
}

/** Ends an answer that is too large. */
function limited(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init)
    let left = maxAnswer
    const counted = response.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, stream) {
          left -= chunk.length
          if (left < 0) stream.error(new Error(`its answer is larger than ${maxAnswer} bytes`))
          else stream.enqueue(chunk)
        },
      }),
    )
    return new Response(counted ?? null, response)
  }
}

const batchesOf = (texts: readonly string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(texts.length / size) }, (_, at) => texts.slice(at * size, (at + 1) * size))
