/** Answers of a caller that sends its next request before it has the last answer (pipelining). They wait for each other. */
import { setMaxListeners } from 'node:events'
import type { ServerResponse } from 'node:http'

/**
 * Closes an answer that waits for an earlier one if their connection closes. Node only closes the answer that it is sending.
 * Otherwise, the others would hold their memory and their connection to the target forever.
 */
export function closeWithConnection(response: ServerResponse): void {
  const { socket } = response.req
  if (response.socket !== null) return
  const close = (): void => {
    // Node is sending it by now.
    if (response.socket !== null) return
    response.destroy()
    response.emit('close')
  }
  setMaxListeners(0, socket)
  socket.on('close', close)
  response.once('close', () => socket.off('close', close))
}
