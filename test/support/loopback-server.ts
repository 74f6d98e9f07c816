import { once } from 'node:events'
import { createServer as createHttp, type RequestListener, type Server } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Certificate } from './self-signed.ts'

export interface LoopbackServer {
  readonly server: Server
  readonly url: string
  /** Ends it with all of its connections. */
  close(): Promise<void>
}

/**
 * A server on a free port, which keeps idle connections for as long as a test takes: that one has ended is then of the
 * test's doing. Nobody has come before its address is given, so that its events can be listened to from then on.
 *
 * @param tls where it speaks TLS
 */
export async function startLoopbackServer(
  listener: RequestListener,
  tls?: Certificate,
): Promise<LoopbackServer> {
  const server = tls === undefined ? createHttp(listener) : createHttps(tls, listener)
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`
  return {
    server,
    url,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
