/**
 * Ends requests of idle callers: the body stops coming, or the caller does not read the answer. Node's idle timeout reports that
 * nothing has moved on a connection. This file decides whether the caller is to blame.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { hasBody } from './forward.ts'

/**
 * Calls `onStalled` if no part of the body has come for `idle` milliseconds although the proxy was ready to read it. Does not
 * count the time while the caller waits for the engine, or while the engine is slow to read the body.
 */
export function onStalledBody(
  request: IncomingMessage,
  response: ServerResponse,
  idle: number,
  onStalled: () => void,
): void {
  const { socket } = request
  // Without a listener, Node drops any connection whose idle timeout fires, even while its caller waits for the engine.
  response.on('timeout', () => {})
  if (!hasBody(request)) return
  let before: number | undefined
  // Node emits this event until the body is complete. A stall takes two events, each after half the time: if the engine was slow
  // to read the body, the caller may have had no chance to continue before the first.
  request.on('timeout', () => {
    // Node reads until this much of the body waits to be sent to the engine.
    const isRead = request.readableLength < request.readableHighWaterMark
    const isAwaited = isRead && !response.writableEnded
    if (isAwaited && socket.bytesRead === before) return onStalled()
    before = isAwaited ? socket.bytesRead : undefined
    socket.setTimeout(idle / 2)
  })
  socket.setTimeout(idle / 2)
}

/**
 * Drops the connection if the caller has read nothing of an answer for `idle` milliseconds. Call it after writing the whole
 * answer.
 */
export function dropUnread(response: ServerResponse, idle: number): void {
  const { socket } = response.req
  if (socket.writableLength === 0) return
  response.on('timeout', () => socket.destroy())
  socket.setTimeout(idle)
}
