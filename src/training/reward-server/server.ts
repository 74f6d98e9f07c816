/**
 * The reward server: rewards of an index, over HTTP, for whoever trains a language model. Node's own server: there are six
 * addresses, JSON in and JSON out, and no middleware that a framework would be for.
 *
 * Nobody is asked who they are: it listens on this machine only unless told otherwise.
 */
import { once, setMaxListeners } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '../../clock.ts'
import { isQuerentError, QuerentError, toError } from '../../errors.ts'
import { openScope } from '../../scope.ts'
import { type BodyLimits, type Queue, readBody } from './body.ts'
import { createMetrics } from './metrics.ts'
import { native } from './protocols/native.ts'
import { openrlhf } from './protocols/openrlhf.ts'
import type { Protocol, Reply } from './protocols/protocol.ts'
import { retrieve } from './protocols/retrieve.ts'
import { slime } from './protocols/slime.ts'
import { createService, type ServiceOptions } from './service.ts'

export interface RewardServerOptions extends ServiceOptions {
  /** Default: 127.0.0.1, this machine alone. */
  readonly host?: string
  /** 0 is any that is free. Default: 8177. */
  readonly port?: number
  /** Milliseconds that requests under way have when the server is closed. Default: 10,000. */
  readonly grace?: number
  /** Default: 32 MiB a body, 1,024 requests, 256 MiB of bodies. */
  readonly limits?: Partial<BodyLimits>
  /** Told what the server could not do, a line each. */
  readonly onFailure?: (line: string) => void
}

export interface RewardServer {
  /** Where it listens: `http://127.0.0.1:8177`. */
  readonly url: string
  /** Takes no more requests, answers those under way within `grace`, and then drops what is left. */
  close(): Promise<void>
}

const defaultLimits: BodyLimits = { body: 32 * 2 ** 20, requests: 1024, bytes: 256 * 2 ** 20 }

const protocols: ReadonlyMap<string, Protocol> = new Map([
  ['/v1/reward', native],
  ['/openrlhf', openrlhf],
  ['/slime', slime],
  ['/retrieve', retrieve],
])

/** Starts to listen. @throws QuerentError `bad-config` where it cannot */
export async function startRewardServer(options: RewardServerOptions): Promise<RewardServer> {
  const { host = '127.0.0.1', port = 8177, timeout = 60_000, grace = 10_000, clock = systemClock } = options
  const limits = { ...defaultLimits, ...options.limits }
  const queue: Queue = { requests: 0, bytes: 0 }
  const closing = new AbortController()
  // Every request under way listens to it.
  setMaxListeners(0, closing.signal)
  let stopping = false
  const service = createService({ ...options, onBatch: (batch) => metrics.batch(batch) })
  const metrics = createMetrics({ searcher: () => service.searcher.counts(), queue: () => queue })

  const server = createServer((request, response) => {
    const start = clock.now()
    void answer(request, response).then(({ path, status }) =>
      metrics.request({ path, status, ms: clock.now() - start }),
    )
  })

  /** Never rejects. Gives the path and the status, for the metrics; addresses that are none share one path. */
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<Answered> {
    const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://server')
    const send = ({ status, body }: Reply): Answered => {
      sendJson(response, status, body, stopping)
      return { path, status }
    }
    if (path === '/health' || path === '/metrics') {
      if (request.method !== 'GET') return send(wrongMethod(response, 'GET'))
      if (path === '/metrics') return sendText(response, metrics.contentType, await metrics.text(), path)
      const status = stopping ? 503 : 200
      return send({ status, body: { status: stopping ? 'stopping' : 'ok', server: service.server } })
    }
    const protocol = protocols.get(path)
    if (protocol === undefined) {
      sendJson(
        response,
        404,
        { error: `There is nothing at ${path}: try ${[...protocols.keys()].join(', ')}` },
        stopping,
      )
      return { path: 'other', status: 404 }
    }
    if (request.method !== 'POST') return send(wrongMethod(response, 'POST'))
    if (stopping || queue.requests >= limits.requests) return send(busy(response, stopping))
    queue.requests++
    try {
      const body = await readBody(request, queue, limits)
      if (body === 'gone') return { path, status: 499 }
      if (body === 'busy') return send(busy(response, stopping))
      if (body === 'too-large') return send(tooLarge(response, limits.body))
      try {
        return send(await carryOut(protocol, path, body.bytes, response, searchParams))
      } finally {
        body.release()
      }
    } finally {
      queue.requests--
    }
  }

  /** Answers one request, until the client has gone, time is up or the server is closed. */
  async function carryOut(
    protocol: Protocol,
    path: string,
    bytes: Buffer,
    response: ServerResponse,
    parameters: URLSearchParams,
  ): Promise<Reply> {
    const scope = openScope(clock, { parent: closing.signal, ms: timeout, what: 'The request' })
    const onGone = (): void => scope.end(new QuerentError('aborted', 'The client has gone'))
    response.once('close', onGone)
    try {
      const reply = await protocol(parseJson(bytes), service, scope.signal, parameters)
      if (reply.rollouts !== undefined) metrics.rollouts(path, reply.rollouts)
      return reply
    } catch (thrown) {
      const error = toError(thrown)
      const status = statusOf(error)
      if (status >= 500) options.onFailure?.(`${path}: ${error.message}`)
      return { status, body: { error: error.message } }
    } finally {
      response.off('close', onGone)
      scope.end()
    }
  }

  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (cause) {
    throw new QuerentError('bad-config', `The server cannot listen on ${host}:${port}`, {
      remedy: 'Choose another --host or --port.',
      cause,
    })
  }
  const { address, family, port: bound } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`,
    async close() {
      stopping = true
      const closed = once(server, 'close')
      server.close()
      server.closeIdleConnections()
      const cancel = clock.after(grace, () => {
        closing.abort(new QuerentError('aborted', 'The server is closed'))
        server.closeAllConnections()
      })
      await closed
      cancel()
    },
  }
}

interface Answered {
  readonly path: string
  readonly status: number
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw new QuerentError('bad-config', `The request is not JSON: ${toError(cause).message}`, { cause })
  }
}

function statusOf(error: Error): number {
  if (isQuerentError(error, 'bad-config')) return 400
  if (isQuerentError(error, 'deadline')) return 504
  if (isQuerentError(error, 'aborted')) return 503
  return 500
}

/** Whoever comes again later is served. The body is not waited for. */
function busy(response: ServerResponse, stopping: boolean): Reply {
  response.setHeader('retry-after', '1').setHeader('connection', 'close')
  return {
    status: 503,
    body: { error: stopping ? 'The server is stopping' : 'The server has too much to do' },
  }
}

/** The rest of the body is not waited for. */
function tooLarge(response: ServerResponse, most: number): Reply {
  response.setHeader('connection', 'close')
  return {
    status: 413,
    body: { error: `The request is larger than ${most} bytes: send fewer items at a time` },
  }
}

function wrongMethod(response: ServerResponse, allowed: string): Reply {
  response.setHeader('allow', allowed)
  return { status: 405, body: { error: `Use ${allowed}` } }
}

function sendJson(response: ServerResponse, status: number, body: unknown, last: boolean): void {
  if (response.destroyed) return
  const text = JSON.stringify(body)
  if (last) response.setHeader('connection', 'close')
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}

function sendText(response: ServerResponse, type: string, text: string, path: string): Answered {
  response.writeHead(200, { 'content-type': type }).end(text)
  return { path, status: 200 }
}
