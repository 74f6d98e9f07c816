/**
 * An upstream on loopback that keeps every request as it came over the wire, and answers as a test says: with an answer of
 * its own, or with that of a real engine behind it.
 */
import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, request as sendHttp } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { startLoopbackServer } from './loopback-server.ts'
import type { Certificate } from './self-signed.ts'
import { waitingList } from './waiting-list.ts'

export interface RecordedRequest {
  readonly method: string
  /** As it was written, escapes included. */
  readonly path: string
  /** Names and values in turn, in their order and case. */
  readonly headers: readonly string[]
  readonly body: Buffer
  /** Which of the connections it came over, from 1. */
  readonly connection: number
}

export interface RecordedAnswer {
  readonly status?: number
  readonly message?: string
  /** Names and values in turn. */
  readonly headers?: readonly string[]
  /** A list goes out in as many chunks. */
  readonly body?: string | Buffer | readonly (string | Buffer)[]
  /** In place of a body: what is read of it goes out as it comes. */
  readonly stream?: Readable
  /** Answers once that has happened. */
  readonly after?: Promise<unknown>
  /** Ends the connection where the body would end. Default: false. */
  readonly cut?: boolean
}

/** `hang`: never answers. `cut`: ends the connection. A URL: the engine there answers. */
export type Answer = 'hang' | 'cut' | URL | RecordedAnswer

export interface RecordingServer {
  readonly url: string
  readonly requests: readonly RecordedRequest[]
  /** The same without those about what fields are, which is asked once for each caller and index. */
  readonly searches: readonly RecordedRequest[]
  /** Bytes of all bodies. */
  readonly received: number
  /** How many connections were made. */
  readonly connections: number
  /** Callers that went without waiting for their answer. */
  readonly abandoned: number
  /** Resolves when that many requests have come, from 1. */
  arrived(count: number): Promise<void>
  /** Resolves when that many callers have gone, from 1. */
  left(count: number): Promise<void>
  /** Forgets the requests. */
  clear(): void
  close(): Promise<void>
}

export interface RecordingOptions {
  /** Discards bodies as they come: for those that no memory should hold. Default: false. */
  readonly discards?: boolean
  /** Answers at once, before the body has been read, and ends the connection. Default: false. */
  readonly early?: boolean
  /** For TLS. */
  readonly tls?: Certificate
}

export async function startRecordingServer(
  answer: Answer | ((request: RecordedRequest) => Answer),
  { discards = false, early = false, tls }: RecordingOptions = {},
): Promise<RecordingServer> {
  let requests: RecordedRequest[] = []
  let [connections, abandoned, received] = [0, 0, 0]
  const numbers = new WeakMap<object, number>()
  const { until, tell } = waitingList()

  async function listen(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', rawHeaders, socket } = request
    request.on('error', () => {})
    if (!early)
      request.on('data', (chunk: Buffer) => {
        received += chunk.length
      })
    response.on('close', () => {
      if (response.writableFinished) return
      abandoned++
      tell()
    })
    const head = { method, path: url, headers: rawHeaders, connection: numbers.get(socket)! }
    if (discards) await once(request.resume(), 'end').catch(() => {})
    const body = discards || early ? Buffer.alloc(0) : await buffer(request).catch(() => Buffer.alloc(0))
    const seen = { ...head, body }
    requests.push(seen)
    tell()
    const chosen = typeof answer === 'function' ? answer(seen) : answer
    await give(chosen, seen, response)
    if (early) response.on('finish', () => socket.end())
  }

  const { server, url, close } = await startLoopbackServer(listen, tls)
  server.on(tls === undefined ? 'connection' : 'secureConnection', (socket) =>
    numbers.set(socket, ++connections),
  )

  return {
    url,
    get requests() {
      return requests
    },
    get searches() {
      return requests.filter(({ path }) => !path.includes('/_field_caps'))
    },
    get received() {
      return received
    },
    get connections() {
      return connections
    },
    get abandoned() {
      return abandoned
    },
    arrived: (count) => until(() => requests.length >= count),
    left: (count) => until(() => abandoned >= count),
    clear() {
      requests = []
    },
    close,
  }
}

async function give(answer: Answer, seen: RecordedRequest, response: ServerResponse): Promise<void> {
  if (answer === 'hang') return
  if (answer === 'cut') return void response.socket?.destroy()
  if (answer instanceof URL) return forward(answer, seen, response)
  const { status = 200, message, headers = [], body = '', stream, after, cut = false } = answer
  await after
  response.sendDate = false
  if (message === undefined) response.writeHead(status, [...headers])
  else response.writeHead(status, message, [...headers])
  for (const chunk of Array.isArray(body) ? (body as readonly (string | Buffer)[]) : []) response.write(chunk)
  if (stream !== undefined) return void pipeline(stream, response, () => {})
  if (cut) return void response.write(body as string, () => response.socket?.destroy())
  response.end(Array.isArray(body) ? undefined : (body as string | Buffer))
}

/** The engine's own answer, its head as it was written. */
function forward(to: URL, { method, path, headers, body }: RecordedRequest, response: ServerResponse): void {
  const sent = sendHttp(
    { host: to.hostname, port: to.port, method, path, headers: [...headers] as never },
    (answer) => {
      response.sendDate = false
      response.writeHead(answer.statusCode!, answer.statusMessage!, answer.rawHeaders)
      answer.pipe(response)
    },
  )
  response.on('close', () => sent.destroy())
  sent.on('error', (error) => response.destroy(error))
  sent.end(body)
}
