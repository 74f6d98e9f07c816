/** Starts and stops the HTTP servers of this process. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { QuerentError } from '../../../src/errors.ts'
import { type Clock, systemClock } from '../../../src/runtime/clock.ts'
import { type Answered, whenAnswered } from './answered.ts'
import { type ClientLimits, dropUnread, serverTimes } from './client-limits.ts'
import { withCors } from './cors.ts'
import { type DoorOptions, isLoopback, refusalOf } from './guard.ts'
import { nodeListener } from './node-request.ts'
import { type Problem, problemResponse } from './problem.ts'

export interface ServerOptions extends ClientLimits, DoorOptions {
  /** The path of a page that links of other sites may open. Default: none. */
  readonly page?: string | undefined
  /** Default: 127.0.0.1, which only this machine can reach. */
  readonly host?: string | undefined
  /** With 0, the system chooses a free port. */
  readonly port: number
  /** Milliseconds that requests in flight have to end when the server is closed. Default: 10,000. */
  readonly grace?: number | undefined
  /** Called at the end of each request that reached the handler. */
  readonly onAnswered?: ((answered: Answered) => void) | undefined
  /** Time, for tests. Default: the system's. */
  readonly clock?: Clock | undefined
}

export interface RunningServer {
  /** The address of the server, such as `http://127.0.0.1:8178`. */
  readonly url: string
  /** Accepts no more requests, waits up to `grace` for the requests in flight, and then drops the rest. */
  close(): Promise<void>
}

/** Serves a web-standard handler on a port. @throws QuerentError `bad-config` if it cannot listen */
export async function startServer(
  handle: (request: Request) => Promise<Response>,
  { host = '127.0.0.1', port, grace = 10_000, onAnswered, clock = systemClock, ...others }: ServerOptions,
): Promise<RunningServer> {
  let stopping = false
  const { cors } = others
  const allowing = cors === undefined ? handle : withCors(handle, cors)
  const server = createServer(serverTimes(others), (incoming, outgoing) => {
    const refused = refuse(incoming)
    dropUnread(outgoing, others)
    outgoing.setHeader('x-content-type-options', 'nosniff')
    if (onAnswered !== undefined) whenAnswered(incoming, outgoing, clock, onAnswered)
    if (stopping) outgoing.setHeader('connection', 'close')
    // The connection of a request that was under way when the server was closed would be kept open for the next one.
    outgoing.on('close', () => stopping && server.closeIdleConnections())
    nodeListener(refused === undefined ? allowing : async () => problemResponse(refused))(incoming, outgoing)
  })
  const refuse = guarding(server, others, others.page)
  return {
    url: await listen(server, host, port),
    close() {
      stopping = true
      return closeServer(server, { grace, clock })
    },
  }
}

/** Returns what a request to this server is refused with; `undefined` if it may pass. */
export function guarding(server: Server, { hosts, cors }: DoorOptions, page?: string) {
  let isLocal = true
  server.on('listening', () => {
    isLocal = isLoopback((server.address() as AddressInfo).address)
  })
  return ({ method, url = '', headers }: IncomingMessage): Problem | undefined => {
    const isPage = method === 'GET' && url.split('?', 1)[0] === page
    const doors = { hosts: hosts ?? (isLocal ? [] : false), cors, byAddress: !isLocal, isPage }
    return refusalOf((name) => headers[name]?.toString(), doors)
  }
}

/** Connections that have sent no request yet. Node does not count them as idle. */
const silent = new WeakMap<Server, Set<Socket>>()

/** Starts to listen, and returns the address. @throws QuerentError `bad-config` if it cannot */
export async function listen(server: Server, host: string, port: number): Promise<string> {
  const sockets = new Set<Socket>()
  silent.set(server, sockets)
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('request', ({ socket }) => sockets.delete(socket))
  server.on('clientError', refuseBroken)
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
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`
}

/** Connections on which something came that is no request. */
const broken = new WeakSet<Duplex>()

/** The statuses of Node's own answers. That to anything else is 400. */
const statusOf: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Answers as Node would, and reads on for a moment: a client that still sends would be reset, and lose the answer. */
function refuseBroken({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
  if (broken.has(socket)) return
  broken.add(socket)
  const { _httpMessage: begun } = socket as { readonly _httpMessage?: ServerResponse }
  if (!socket.writable || begun?.headersSent) return void socket.destroy()
  const status = statusOf[code] ?? 400
  const answer = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`
  const drop = (): void => void socket.destroy()
  // Whoever reads the body of a request learns at once that no more of it comes.
  if (begun) return void socket.end(answer, drop)
  socket.end(answer)
  socket.once('close', systemClock.after(lingering, drop))
}

/** Milliseconds. */
const lingering = 2000

/**
 * Waits up to `grace` for the requests in flight, then calls `onOver` and drops them. Immediately closes connections that have
 * sent no request.
 */
export async function closeServer(
  server: Server,
  { grace, clock, onOver }: { readonly grace: number; readonly clock: Clock; readonly onOver?: () => void },
): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  for (const socket of silent.get(server) ?? []) socket.destroy()
  const cancel = clock.after(grace, () => {
    onOver?.()
    server.closeAllConnections()
  })
  await closed
  cancel()
}
