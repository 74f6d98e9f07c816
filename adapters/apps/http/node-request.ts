/**
 * Converts Node's requests and responses to the web's and back, for web-standard handlers.
 *
 * @module querent/node-request
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { UnderlyingSource } from 'node:stream/web'
import { QuerentError } from '../../../src/errors.ts'
import { type Clock, systemClock } from '../../../src/runtime/clock.ts'
import { discardBody } from './node-body.ts'
import { problem, problemResponse } from './problem.ts'

/** What a framework has already done with a request. */
export interface Received {
  /** Path and parameters as the client sent them, if the framework has cut them. */
  readonly url?: string
  /** The body, if a parser has read it. */
  readonly body?: unknown
  /** Time, for tests. Default: the system's. */
  readonly clock?: Clock
}

/** How much of a refused body is read. A client that writes its whole body before it reads can then receive the refusal. */
const discarded = { bytes: 2 ** 20, ms: 10_000 }

/** A listener for `http.createServer` that answers with a web-standard handler. */
export function nodeListener(
  handle: (request: Request) => Promise<Response>,
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  return (incoming, outgoing) => {
    webResponse(handle, incoming, outgoing)
      .then((response) => sendResponse(response, outgoing))
      .catch(() => outgoing.destroy())
  }
}

/** Calls the handler and returns its answer. Aborts the request when the client disconnects. Discards the rest of the body. */
export async function webResponse(
  handle: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  received: Received = {},
): Promise<Response> {
  const request = toRequest(incoming, clientSignal(outgoing), received)
  const response = await (request === undefined
    ? problemResponse(problem('not-implemented', `${incoming.method} is not for searching`))
    : handle(request))
  // Node itself discards a body that has not been read at all.
  const isRead = incoming.readableEnded || (incoming.complete && !incoming.readableDidRead)
  if (!isRead) await discardBody(incoming, { ...discarded, clock: received.clock ?? systemClock })
  if (!incoming.complete && !outgoing.headersSent) outgoing.setHeader('connection', 'close')
  return response
}

/** Sends an answer, and keeps headers that are already set. Resolves when the answer is sent or the client has disconnected. */
export async function sendResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  const { status, headers, body } = response
  if (outgoing.headersSent || outgoing.destroyed) return void body?.cancel()
  outgoing.statusCode = status
  for (const [name, value] of headers) {
    if (name === 'set-cookie') outgoing.appendHeader(name, value)
    else outgoing.setHeader(name, value)
  }
  if (body === null) outgoing.end()
  else await pipeline(readable(body), outgoing).catch(() => {})
}

/** Converts a web stream to a stream of Node. */
export const readable = (body: ReadableStream): Readable =>
  Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0])

/** Aborts if the client disconnects before its answer has been sent. */
export function clientSignal(outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const leave = (): void => {
    if (!outgoing.writableFinished) controller.abort(new QuerentError('aborted', 'The client has gone'))
  }
  if (outgoing.closed) leave()
  else outgoing.once('close', leave)
  return controller.signal
}

/** Converts the request. Returns `undefined` if the web forbids the method, such as TRACE. */
function toRequest(incoming: IncomingMessage, signal: AbortSignal, received: Received): Request | undefined {
  const { method = 'GET', rawHeaders } = incoming
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (!name.startsWith(':')) headers.append(name, rawHeaders[at + 1]!)
  }
  const isParsed = incoming.readableDidRead
  // The parser has already decompressed the body.
  if (isParsed) for (const name of ['content-length', 'content-encoding']) headers.delete(name)
  const body = isParsed ? bytesOf(received.body) : bodyOf(incoming)
  const url = urlOf(incoming, received.url ?? incoming.url ?? '/')
  try {
    return new Request(url, {
      method,
      headers,
      signal,
      ...(method !== 'GET' && method !== 'HEAD' && { body, duplex: 'half' }),
    } as RequestInit)
  } catch {
    return undefined
  }
}

/** The body as a stream that is read only on demand. Reading may stop early: the connection stays open for the answer. */
function bodyOf(incoming: IncomingMessage): ReadableStream {
  const chunks: AsyncIterator<Uint8Array> = incoming.iterator({ destroyOnReturn: false })
  const source: UnderlyingSource<Uint8Array> = {
    async pull(stream) {
      const { done, value } = await chunks.next()
      if (done) stream.close()
      else stream.enqueue(value)
    },
    cancel: async () => void (await chunks.return?.()),
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}

const bytesOf = (body: unknown): string | Uint8Array =>
  typeof body === 'string' || body instanceof Uint8Array ? body : (JSON.stringify(body) ?? '')

/** A URL that always parses. Clients can send anything as `host`. */
function urlOf({ headers, socket }: IncomingMessage, path: string): string {
  if (URL.canParse(path)) return path
  const { host = '' } = headers
  const origin = `${'encrypted' in socket ? 'https' : 'http'}://${/^[\w.:[\]-]+$/.test(host) ? host : 'localhost'}`
  return `${URL.canParse(origin) ? origin : 'http://localhost'}/${path.replace(/^\//, '')}`
}
