/** Connections on which a test sends what no client would. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

interface OpenSocket {
  readonly socket: Socket
  /** All that came, once the other side has ended the connection. */
  readonly received: Promise<string>
}

/** Connects and sends these bytes; the connection stays open until the other side, or the test, ends it. */
export async function openSocket(url: string, bytes: string | Buffer = ''): Promise<OpenSocket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  if (bytes.length > 0) socket.write(bytes)
  return { socket, received: once(socket, 'close').then(() => text) }
}
