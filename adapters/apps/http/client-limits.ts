/** How long a server waits for its clients: for requests that do not come to their end, and for answers that nobody reads. */
import type { ServerOptions, ServerResponse } from 'node:http'

export interface ClientLimits {
  /** Milliseconds for the head of a request. A slower one gets a 408. Default: 60,000. */
  readonly headersTimeout?: number | undefined
  /** Milliseconds for a request with its body. A slower one gets a 408. Default: 300,000. */
  readonly requestTimeout?: number | undefined
  /** Milliseconds in which a client must read something of an answer that waits for it. Default: 60,000. */
  readonly unreadTimeout?: number | undefined
}

/** Node looks for slow requests in intervals. They are a sixtieth of the time, so that it is kept to within two percent. */
export function serverTimes({
  headersTimeout = 60_000,
  requestTimeout = 300_000,
}: ClientLimits): ServerOptions {
  return { headersTimeout, requestTimeout, connectionsCheckingInterval: Math.ceil(headersTimeout / 60) }
}

/** Drops the connection if an answer waits and the client reads nothing of it. The time of the search does not count. */
export function dropUnread(response: ServerResponse, { unreadTimeout = 60_000 }: ClientLimits): void {
  const { socket } = response.req
  // With a listener, Node does not drop the connection by itself.
  response.on('timeout', () => {
    if (socket.writableLength > 0) socket.destroy()
  })
  socket.setTimeout(unreadTimeout)
}
