/** Node's requests and responses ↔ the web's, for handlers that know the latter alone. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { UnderlyingSource } from 'node:stream/web'
import { QuerentError } from '../../../src/errors.ts'
import { type Clock, systemClock } from '../../../src/runtime/clock.ts'
import { discardBody } from './node-body.ts'
import { problem, problemResponse } from './problem.ts'

/** What a framework did to a request before. */
export interface Received {
  /** Path and parameters as the client sent them, where a framework has cut them. */
  readonly url?: string
  /** The body, where a parser has read it. */
  readonly body?: unknown
  /** Time, for tests. Default: the system's. */
  readonly clock?: Clock
}

/** Of a body that is refused so much is read, so that a client which writes all before it reads hears the refusal. */
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

/** What the handler answers. Its request is aborted when the client goes; the rest of the body is out of the way. */
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
  // What nobody has begun to read Node throws away itself.
  const isRead = incoming.readableEnded || (incoming.complete && !incoming.readableDidRead)
  if (!isRead) await discardBody(incoming, { ...discarded, clock: received.clock ?? systemClock })
  if (!incoming.complete && !outgoing.headersSent) outgoing.setHeader('connection', 'close')
  return response
}

/** Sends an answer, beside the headers that are there already. Resolves when it is sent or nobody is there any more. */
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

/** A web stream as Node's. */
export const readable = (body: ReadableStream): Readable =>
  Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0])

/** Aborts when the client goes before its answer has been sent. */
export function clientSignal(outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const leave = (): void => {
    if (!outgoing.writableFinished) controller.abort(new QuerentError('aborted', 'The client has gone'))
  }
  if (outgoing.closed) leave()
  else outgoing.once('close', leave)
  return controller.signal
}

/** The request as the web has it; `undefined` where the web has no such request: TRACE. */
function toRequest(incoming: IncomingMessage, signal: AbortSignal, received: Received): Request | undefined {
  const { method = 'GET', rawHeaders } = incoming
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (!name.startsWith(':')) headers.append(name, rawHeaders[at + 1]!)
  }
  const isParsed = incoming.readableDidRead
  // A parser has unpacked it.
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

/** The body, nothing of it before it is asked for. Not destroyed when reading stops early: the answer goes the same way. */
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

/** An address that can always be read: clients write anything into `host`. */
function urlOf({ headers, socket }: IncomingMessage, path: string): string {
  if (URL.canParse(path)) return path
  const { host = '' } = headers
  const origin = `${'encrypted' in socket ? 'https' : 'http'}://${/^[\w.:[\]-]+$/.test(host) ? host : 'localhost'}`
  return `${URL.canParse(origin) ? origin : 'http://localhost'}/${path.replace(/^\//, '')}`
}
