/**
 * A TCP server between our code and an engine: it passes on what comes, but for the requests that a fault is meant for. It
 * knows what is under way and which sockets are open, so that a test can say that nothing hangs.
 */
import { once } from 'node:events'
import { Agent, type IncomingMessage, type ServerResponse, request as sendHttp } from 'node:http'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { startLoopbackServer } from './loopback-server.ts'
import { withoutNames } from './raw-http.ts'
import type { Certificate } from './self-signed.ts'
import { waitingList } from './waiting-list.ts'

export interface Received {
  readonly method: string
  readonly path: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

export interface Given {
  readonly status: number
  /** Names and values in turn, without those of the length and the connection. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** What answers. */
export type AskEngine = (request: Received) => Promise<Given>

/** A request that is to be spoilt. */
export interface Exchange {
  readonly request: Received
  readonly engine: AskEngine
  readonly response: ServerResponse
  /** From now on no connection is taken; those that stand go on. */
  readonly refuse: () => void
}

/** Does what is wrong with it. What it leaves unanswered waits until the caller has gone. */
export type Fault = (exchange: Exchange) => Promise<void> | void

interface Spoiling {
  readonly fault: Fault
  readonly isMeant: (request: Received) => boolean
  /** How many requests, the first ones. Default: all. */
  readonly times?: number
}

export interface FaultServer {
  readonly url: string
  /** Requests that have come, but for those about what fields are: each index and caller has one a minute. */
  readonly requests: number
  /** Requests that were spoilt. */
  readonly spoilt: number
  /** Connections that are open. */
  readonly sockets: number
  /** From now on, beginning to count. Without one, all is passed on. */
  spoil(spoiling?: Spoiling): void
  /** Resolves when no request is under way. */
  quiet(): Promise<void>
  /** Resolves when no connection is open. */
  deserted(): Promise<void>
  close(): Promise<void>
}

/** @param tls where it speaks TLS */
export async function startFaultServer(engine: AskEngine, tls?: Certificate): Promise<FaultServer> {
  let spoiling: Spoiling | undefined
  let [requests, spoilt, underWay] = [0, 0, 0]
  const sockets = new Set<Socket>()
  const { until, tell } = waitingList()

  async function listen(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!incoming.url?.includes('/_field_caps')) requests++
    underWay++
    response.on('error', () => {})
    response.on('close', () => {
      underWay--
      tell()
    })
    const { method = '', url: path = '', rawHeaders: headers } = incoming
    const body = await buffer(incoming).catch(() => undefined)
    if (body === undefined) return
    const request = { method, path, headers, body }
    const isSpoilt = spoiling?.isMeant(request) === true && spoilt < (spoiling.times ?? Infinity)
    if (isSpoilt) spoilt++
    const exchange = { request, engine, response, refuse: () => void server.close() }
    await (isSpoilt ? spoiling!.fault(exchange) : passOn(exchange))
  }

  const { server, url } = await startLoopbackServer(listen, tls)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      tell()
    })
  })

  return {
    url,
    get requests() {
      return requests
    },
    get spoilt() {
      return spoilt
    },
    get sockets() {
      return sockets.size
    },
    spoil(next) {
      spoiling = next
      requests = 0
      spoilt = 0
    },
    quiet: () => until(() => underWay === 0),
    deserted: () => until(() => sockets.size === 0),
    async close() {
      server.close()
      server.closeAllConnections()
      await until(() => sockets.size === 0)
    },
  }
}

const passOn = async ({ request, engine, response }: Exchange): Promise<void> =>
  give(response, await engine(request))

/** Answers. */
export function give(response: ServerResponse, { status, headers, body }: Given): void {
  writeHead(response, { status, headers, body })
  response.end(body)
}

/** Begins to answer. */
export function writeHead(response: ServerResponse, { status, headers, body }: Given): void {
  response.sendDate = false
  response.writeHead(status, [...headers, 'content-length', String(body.length)])
}

const ofConnection = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'accept-encoding']

/** A real engine, which answers without compressing. */
export function engineAt(url: string): { readonly ask: AskEngine; readonly close: () => void } {
  const agent = new Agent({ keepAlive: true })
  const { hostname, port } = new URL(url)
  return {
    async ask({ method, path, headers, body }) {
      const own = [...withoutNames(headers, ...ofConnection), 'content-length', String(body.length)]
      const sent = sendHttp({ hostname, port, method, path, agent, headers: own as never })
      sent.end(body)
      const [answer] = await once(sent, 'response')
      const given = await buffer(answer)
      return {
        status: answer.statusCode,
        headers: withoutNames(answer.rawHeaders, ...ofConnection),
        body: given,
      }
    },
    close: () => agent.destroy(),
  }
}
