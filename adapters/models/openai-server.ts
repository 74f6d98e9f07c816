/** Calls a server with OpenAI's protocol: its settings, its limits, and errors that never contain the key. */
import type { OpenAI } from 'openai'
import { z } from 'zod'
import { parseConfig } from '../../src/config.ts'
import { QuerentError } from '../../src/errors.ts'
import { timeLeft } from '../../src/runtime/deadline.ts'
import { fieldsOf, retryAfterOf } from '../resilience/retry-after.ts'
import { fromEnvironment } from './environment.ts'
import { reasonOf } from './reason.ts'
import { serverUrl } from './server-url.ts'
import { within } from './with-timeout.ts'

export interface OpenAIServerOptions {
  /** With its version, such as `http://localhost:8000/v1`. Default: `OPENAI_BASE_URL`, else OpenAI's own server. */
  readonly baseUrl?: string
  /** Default: `OPENAI_API_KEY`. Only OpenAI's own server requires a key. */
  readonly apiKey?: string
  /** Milliseconds for a call, including retries and the waits between them. Default: 30,000. */
  readonly timeout?: number
  /** Maximum number of retries after a temporary failure (no connection, 408, 409, 429, 5xx). */
  readonly retries?: number
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch
}

export const callShape = {
  apiKey: z.string().min(1).optional(),
  timeout: z.number().positive().optional(),
  retries: z.int().min(0).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  fetch: z.custom<typeof fetch>((value) => typeof value === 'function', 'expected a function').optional(),
}

export const serverShape = { ...callShape, baseUrl: serverUrl.optional() }

export interface OpenAIServer {
  /** Whether the server is OpenAI's own. */
  readonly official: boolean
  /** Its address, without credentials. */
  readonly url: string
  /**
   * Sends a request and parses the answer with `schema`.
   *
   * @throws QuerentError `failure`, whose cause is the client's own error; `rate-limited` for 429; `deadline`; `aborted`.
   */
  call<T>(request: OpenAIRequest<T>): Promise<T>
  /**
   * Sends a request and parses each chunk of the streamed answer with `schema`.
   *
   * @returns whether the last line says that the stream is done
   * @throws as `call` does
   */
  stream<T>(request: OpenAIRequest<T>, onChunk: (chunk: T) => void): Promise<boolean>
}

export interface OpenAIRequest<T> {
  /** The name of the model, for error messages. */
  readonly what: string
  readonly failure: 'chat-failed' | 'embed-failed' | 'rerank-failed'
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly schema: z.ZodType<T>
  readonly signal?: AbortSignal | undefined
}

/** @throws QuerentError `bad-config`, `missing-key`: wrong settings fail here, not with the first request. */
export function openaiServer(options: OpenAIServerOptions, defaultRetries: number): OpenAIServer {
  const url = options.baseUrl ?? baseUrlFromEnvironment() ?? 'https://api.openai.com/v1'
  const { host, hostname } = new URL(url)
  const official = hostname === 'api.openai.com'
  const apiKey = options.apiKey ?? fromEnvironment('OPENAI_API_KEY')
  if (apiKey === undefined && official) throw new QuerentError('missing-key', `${host} needs a key`)
  return { official, url, ...serverAt(url, apiKey, options, defaultRetries) }
}

type CallOptions = Pick<OpenAIServerOptions, 'timeout' | 'retries' | 'headers' | 'fetch'>

/** Calls any server that takes JSON by POST and a key as bearer token. */
export function serverAt(
  url: string,
  apiKey: string | undefined,
  options: CallOptions,
  defaultRetries: number,
): Omit<OpenAIServer, 'official' | 'url'> {
  const { host } = new URL(url)
  const { timeout = 30_000 } = options
  let client: Promise<OpenAI> | undefined

  /** Loads the client with the first request: it has 150 modules, and a program may configure a server and never call it. */
  async function createClient(): Promise<OpenAI> {
    const { OpenAI } = await import('openai')
    return new OpenAI({
      baseURL: url,
      // The client requires a key.
      apiKey: apiKey ?? 'none',
      timeout,
      maxRetries: options.retries ?? defaultRetries,
      ...(options.headers && { defaultHeaders: options.headers }),
    })
  }

  /** Calls the client within the timeout. Errors name what failed, and never contain the key. */
  async function using<T>(
    { what, failure, signal }: OpenAIRequest<unknown>,
    work: (client: OpenAI, signal: AbortSignal) => Promise<T>,
    send = options.fetch ?? fetch,
  ): Promise<T> {
    const server = `${what} at ${host}`
    try {
      return await within(server, { timeout, signal }, async (ending) => {
        client ??= createClient()
        const patient = withoutLongWaits(send, ending)
        return work((await client).withOptions({ fetch: patient }), ending)
      })
    } catch (error) {
      if (error instanceof QuerentError) throw error
      const reason = describe(error)
      // A short key is not a secret, and may be part of any word.
      const safe = apiKey === undefined || apiKey.length < 8 ? reason : reason.replaceAll(apiKey, '[key]')
      const wait = retryAfterOf(error)
      const asked = wait ? `, and asks to wait ${Math.ceil(wait / 1000)} s` : ''
      const { status } = fieldsOf(error)
      const code = status === 429 ? 'rate-limited' : failure
      throw new QuerentError(code, `${server} ${safe}${asked}`, {
        cause: error,
        ...((status === 400 || status === 422) && {
          remedy: 'Its message says what it refuses; another setting may help.',
        }),
        ...(code === 'rate-limited' && wait !== undefined && { retryAfter: wait }),
      })
    }
  }

  return {
    call(request) {
      const { path, body, schema } = request
      return using(request, async (server, signal) => {
        const answer = await server.post<unknown>(path, { body, signal })
        const read = schema.safeParse(answer)
        // Some gateways report a failure with status 200.
        const said = answer !== null && typeof answer === 'object' && Reflect.get(answer, 'error')
        if (!read.success && said) throw new Error(typeof said === 'string' ? said : JSON.stringify(said))
        return read.success ? read.data : Promise.reject(read.error)
      })
    },

    stream(request, onChunk) {
      const { path, schema, body } = request
      let end = ''
      const decoder = new TextDecoder()
      const watched: typeof fetch = async (input, init) => {
        const response = await (options.fetch ?? fetch)(input, init)
        const watch = new TransformStream<Uint8Array, Uint8Array>({
          transform(bytes, controller) {
            end = (end + decoder.decode(bytes, { stream: true })).slice(-20)
            controller.enqueue(bytes)
          },
        })
        return response.ok && response.body
          ? new Response(response.body.pipeThrough(watch), response)
          : response
      }
      const read = async (server: OpenAI, signal: AbortSignal): Promise<void> => {
        const chunks = await server.post<AsyncIterable<unknown>>(path, { body, signal, stream: true })
        for await (const chunk of chunks) onChunk(schema.parse(chunk))
      }
      return using(request, read, watched).then(() => end.includes('[DONE]'))
    },
  }
}

function baseUrlFromEnvironment(): string | undefined {
  return parseConfig(serverUrl.optional(), fromEnvironment('OPENAI_BASE_URL'), 'OPENAI_BASE_URL')
}

/** A short description of an error, with the server's own message if it has one. */
function describe(error: unknown): string {
  if (error instanceof z.ZodError) return `gave an answer that cannot be read: ${reasonOf(error)}`
  // Of the client's errors, only those from an HTTP answer have a status.
  if (typeof fieldsOf(error).status === 'number') return `answered ${reasonOf(error)}`
  return `cannot be asked: ${reasonOf(error)}`
}

/** Some servers describe an error without `error` around it, which the client would not read. */
async function withError(response: Response): Promise<Response> {
  if (response.ok) return response
  const { status, statusText, headers } = response
  const text = await response.text()
  let body = text
  try {
    const said = JSON.parse(text) as Readonly<Record<string, unknown>>
    if (said.error === undefined) body = JSON.stringify({ error: { message: text, ...said } })
  } catch {
    // A page.
  }
  return new Response(body, { status, statusText, headers })
}

/** The client waits before it tries again. If no time is left for that, this makes it fail at once, so that the reason is not lost. */
function withoutLongWaits(send: typeof fetch, ending: AbortSignal): typeof fetch {
  return async (input, init) => {
    const response = await withError(await send(input, init))
    const { ok, status, statusText } = response
    if (ok || waitBefore(response) < timeLeft(ending)) return response
    const headers = new Headers(response.headers)
    headers.set('x-should-retry', 'false')
    return new Response(response.body, { status, statusText, headers })
  }
}

/** Milliseconds that the client waits after this answer: as long as it asks for, else half a second, and longer each time. */
function waitBefore({ headers }: Response): number {
  const ms = Number.parseFloat(headers.get('retry-after-ms') ?? '')
  return Number.isNaN(ms) ? (retryAfterOf({ headers }) ?? 500) : ms
}
