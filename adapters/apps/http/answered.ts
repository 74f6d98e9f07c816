/** What became of a request, for access logs. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../../src/runtime/clock.ts'

export interface Answered {
  readonly method: string
  /** Without what follows `?`. */
  readonly path: string
  /** What follows `?`, if anything: it may hold words of a query. */
  readonly search?: string
  /** Absent if the connection ended before an answer began. */
  readonly status?: number
  /** Whether the whole answer was handed to the system. If not, the client left or was dropped. */
  readonly complete: boolean
  /** Milliseconds from the head of the request to the end of the answer. */
  readonly ms: number
  /** The address of the client, or of the proxy in front. */
  readonly client?: string
}

/** Calls `listener` once, when the answer or the connection has ended. */
export function whenAnswered(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  clock: Clock,
  listener: (answered: Answered) => void,
): void {
  const start = clock.now()
  const { method = '', url = '' } = incoming
  const client = incoming.socket.remoteAddress
  const end = url.indexOf('?')
  outgoing.once('close', () =>
    listener({
      method,
      path: end < 0 ? url : url.slice(0, end),
      ...(end >= 0 && { search: url.slice(end + 1) }),
      ...(outgoing.headersSent && { status: outgoing.statusCode }),
      complete: outgoing.writableFinished,
      ms: clock.now() - start,
      ...(client !== undefined && { client }),
    }),
  )
}
