/**
 * Ends requests whose caller stands still: the body stops coming, or nobody reads the answer. Node's idle time-out says when
 * nothing has moved on a connection; this file decides whether the caller is the one to blame.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { hasBody } from './forward.ts'

/**
 * Calls back when nothing of a body has come for `idle` milliseconds, though it would be taken. A caller that waits for the
 * engine is left alone, and so is one whose body the engine is slow to take.
 */
export function onStalledBody(
  request: IncomingMessage,
  response: ServerResponse,
  idle: number,
  onStalled: () => void,
): void {
  const { socket } = request
  // Without a listener, Node drops any connection whose idle time-out fires, even while its caller waits for the engine.
  response.on('timeout', () => {})
  if (!hasBody(request)) return
  let before: number | undefined
  // Node emits it until the body is complete. It takes two, each after half the time: if the engine held the body up, the
  // caller may have had no chance to go on before the first.
  request.on('timeout', () => {
    // Node reads on until this much of the body waits to be sent to the engine.
    const isRead = request.readableLength < request.readableHighWaterMark
    const isAwaited = isRead && !response.writableEnded
    if (isAwaited && socket.bytesRead === before) return onStalled()
    before = isAwaited ? socket.bytesRead : undefined
    socket.setTimeout(idle / 2)
  })
  socket.setTimeout(idle / 2)
}

/** Drops the connection when nothing of an answer that was written as a whole has been read for `idle` milliseconds. */
export function dropUnread(response: ServerResponse, idle: number): void {
  const { socket } = response.req
  if (socket.writableLength === 0) return
  response.on('timeout', () => socket.destroy())
  socket.setTimeout(idle)
}
