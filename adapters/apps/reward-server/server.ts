/**
 * The reward server: serves rewards of an index over HTTP, to trainers of language models. It uses Node's own server: it has a dozen
 * paths with JSON in and JSON out, and needs no middleware.
 *
 * The server has no authentication. By default, it listens on this machine only.
 */
import { setMaxListeners } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { QuerentError, toError } from '../../../src/errors.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { openDeadline } from '../../../src/runtime/deadline.ts'
import { type ClientLimits, dropUnread, serverTimes } from '../http/client-limits.ts'
import type { HostOptions } from '../http/guard.ts'
import { discardBody } from '../http/node-body.ts'
import { closeServer, guarding, listen } from '../http/node-server.ts'
import { openApiPath } from '../http/openapi/document.ts'
import { problem } from '../http/problem.ts'
import { type BodyLimits, type Queue, readBody } from './body.ts'
import { createMetrics } from './metrics.ts'
import { rewardApi } from './openapi.ts'
import { native } from './protocols/native.ts'
import { aggregateMetrics, search, seedSession, verify } from './protocols/nemo-gym.ts'
import { openrlhf } from './protocols/openrlhf.ts'
import { orsRoutes } from './protocols/ors.ts'
import type { Protocol, Reply } from './protocols/protocol.ts'
import { retrieve } from './protocols/retrieve.ts'
import { rollouts } from './protocols/rollouts.ts'
import { slime } from './protocols/slime.ts'
import { busy, failed, gone, notFound, refused, send, tooLarge, wrongMethod } from './replies.ts'
import { createService, type ServiceOptions } from './service.ts'

export interface RewardServerOptions extends ServiceOptions, ClientLimits, HostOptions {
  /** Default: 127.0.0.1, this machine only. */
  readonly host?: string
  /** 0 picks a free port. Default: 8177. */
  readonly port?: number
  /** Milliseconds that requests under way have when the server closes. Default: 10,000. */
  readonly grace?: number
  /** Default: 32 MiB per body, 1,024 requests, 256 MiB of bodies. */
  readonly limits?: Partial<BodyLimits>
  /** Called with one line for each failure of the server. */
  readonly onFailure?: (line: string) => void
}

export interface RewardServer {
  /** The URL at which it listens: `http://127.0.0.1:8177`. */
  readonly url: string
  /** Accepts no more requests, answers those under way within `grace`, and then drops the rest. */
  close(): Promise<void>
}

const defaultLimits: BodyLimits = { body: 32 * 2 ** 20, requests: 1024, bytes: 256 * 2 ** 20 }

/** How much of a refused request is read, as a multiple of the body limit: the client must receive the refusal. */
const discarded = 16

const protocols: ReadonlyMap<string, Protocol> = new Map([
  ['/v1/reward', native],
  ['/v1/rollouts', rollouts],
  ['/openrlhf', openrlhf],
  ['/slime', slime],
  ['/retrieve', retrieve],
  ['/seed_session', seedSession],
  ['/search', search],
  ['/verify', verify],
  ['/aggregate_metrics', aggregateMetrics],
])

/** Types of bodies. Programs may leave the type out; a page would be refused for its origin. */
const isJson = /^\s*application\/([\w.+-]+\+)?json\s*(;|$)/i

/** Paths for GET. */
const readable: readonly string[] = ['/health', '/metrics', openApiPath]

/** Starts the server. @throws QuerentError `bad-config` if it cannot listen */
export async function startRewardServer(options: RewardServerOptions): Promise<RewardServer> {
  const { host = '127.0.0.1', port = 8177, timeout = 60_000, grace = 10_000, clock = systemClock } = options
  const limits = { ...defaultLimits, ...options.limits }
  const queue: Queue = { requests: 0, bytes: 0 }
  const closing = new AbortController()
  // Every request under way adds a listener.
  setMaxListeners(0, closing.signal)
  let stopping = false
  const service = createService({ ...options, onBatch: (batch) => metrics.batch(batch) })
  const ors = orsRoutes(clock)
  const routes = { GET: ors.GET, POST: new Map([...protocols, ...ors.POST]) }
  const metrics = createMetrics({ searcher: () => service.searcher.counts(), queue: () => queue })

  const server = createServer(serverTimes(options), (request, response) => {
    dropUnread(response, options)
    const start = clock.now()
    const [path = '', query] = (request.url ?? '').split('?', 2)
    void answer({ path, parameters: new URLSearchParams(query), request, response })
      .catch((thrown: unknown): Reply => {
        const reply = failed(toError(thrown))
        if (reply.status >= 500) options.onFailure?.(`${path}: ${toError(thrown).message}`)
        return reply
      })
      .then((reply) => {
        send(response, reply, stopping, () =>
          discardBody(request, { clock, bytes: discarded * limits.body, ms: timeout }),
        )
        // Unknown paths share one label: anyone can make them up.
        const counted = [403, 404].includes(reply.status) ? 'other' : path
        metrics.request({ path: counted, status: reply.status, ms: clock.now() - start })
      })
      .catch((thrown: unknown) => {
        options.onFailure?.(`${path}: ${toError(thrown).message}`)
        response.destroy()
      })
  })
  const refuse = guarding(server, { hosts: options.hosts })
  // Longer than trainers keep a connection open. They fail if a connection closes while they send a request.
  server.keepAliveTimeout = 30_000

  async function answer(call: Call): Promise<Reply> {
    const { path, request } = call
    const stranger = refuse(request)
    if (stranger !== undefined) return refused(stranger)
    const isReadable = readable.includes(path)
    const protocol = routes[request.method as keyof typeof routes]?.get(path)
    if (protocol === undefined && !(request.method === 'GET' && isReadable)) {
      if (routes.POST.has(path)) return wrongMethod('POST')
      if (isReadable || routes.GET.has(path)) return wrongMethod('GET')
      return notFound(path, [...protocols.keys()])
    }
    const { 'content-type': type = 'application/json' } = request.headers
    // Python's aiohttp says a type even of nothing.
    const isEmpty = request.headers['content-length'] === '0'
    if (protocol !== undefined && request.method === 'POST' && !isEmpty && !isJson.test(type))
      return refused(problem('wrong-type', `The body is ${type}`))
    if (protocol !== undefined) return admit(protocol, call)
    if (path === '/health') return health()
    if (path === openApiPath) return { status: 200, body: rewardApi(service.server.version) }
    return { status: 200, body: undefined, text: { type: metrics.type, content: await metrics.text() } }
  }

  const health = (): Reply => ({
    status: stopping ? 503 : 200,
    body: {
      status: stopping ? 'stopping' : 'ok',
      server: service.server,
      settings: { rewards: service.rewards, maxSubQueries: service.maxSubQueries, timeout },
    },
  })

  /** Reads the body if there is room for it, and answers. */
  async function admit(protocol: Protocol, call: Call): Promise<Reply> {
    if (stopping) return busy('The server is stopping')
    if (queue.requests >= limits.requests) return busy('The server has too much to do')
    queue.requests++
    try {
      const body = await readBody(call.request, queue, limits)
      if (body === 'gone') return gone
      if (body === 'busy') return busy('The server has too much to do')
      if (body === 'too-large') return tooLarge(limits.body)
      try {
        return await carryOut(protocol, call, body.bytes)
      } finally {
        body.release()
      }
    } finally {
      queue.requests--
    }
  }

  /** Runs the protocol until the client disconnects, the timeout ends or the server closes. */
  async function carryOut(
    protocol: Protocol,
    { path, parameters, request, response }: Call,
    bytes: Buffer,
  ): Promise<Reply> {
    const deadline = openDeadline(clock, { parent: closing.signal, ms: timeout, what: 'The request' })
    const onGone = (): void => deadline.cancel(new QuerentError('aborted', 'The client has gone'))
    response.once('close', onGone)
    try {
      const body = request.method === 'GET' || bytes.length === 0 ? undefined : parseJson(bytes)
      const { 'x-session-id': session } = request.headers
      const where = { parameters, session: session?.toString() }
      const reply = await protocol(body, service, deadline.signal, where)
      if (reply.rollouts !== undefined) metrics.rollouts(path, reply.rollouts)
      if (reply.failure !== undefined) options.onFailure?.(`${path}: ${reply.failure}`)
      return reply
    } catch (thrown) {
      if (response.destroyed) return gone
      throw thrown
    } finally {
      response.off('close', onGone)
      deadline.cancel()
    }
  }

  return {
    url: await listen(server, host, port),
    close() {
      stopping = true
      const onOver = (): void => closing.abort(new QuerentError('aborted', 'The server is closed'))
      return closeServer(server, { grace, clock, onOver })
    },
  }
}

/** One request. */
interface Call {
  readonly path: string
  /** URL parameters. */
  readonly parameters: URLSearchParams
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw new QuerentError('bad-config', `The request is not JSON: ${toError(cause).message}`, { cause })
  }
}
