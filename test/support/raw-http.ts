/** HTTP as it is on the wire: headers in their order and case, paths and bodies untouched. */
import { once } from 'node:events'
import { Agent, type IncomingMessage, request as sendHttp } from 'node:http'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface RawRequest {
  readonly method?: string
  readonly path: string
  /** Names and values in turn; `Host` stands first, the length of the body last. */
  readonly headers?: readonly string[]
  readonly body?: string | Buffer
  readonly agent?: Agent
  /** What the header `Host` says. Default: that of the URL. */
  readonly host?: string
}

interface RawResponse {
  readonly status: number
  readonly message: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** The head of a POST of JSON. */
export const jsonHead = (path: string, length: number, more = ''): string =>
  `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n${more}\r\n`

/** Sends a request and reads its answer. */
export async function sendRaw(url: string, request: RawRequest): Promise<RawResponse> {
  const response = await startRaw(url, request)
  const { statusCode, statusMessage, rawHeaders } = response
  return { status: statusCode!, message: statusMessage!, headers: rawHeaders, body: await buffer(response) }
}

/** Sends a request; its answer is still to be read. */
async function startRaw(
  url: string,
  { method = 'GET', path, headers = [], body, agent = new Agent({ maxSockets: 1 }), host }: RawRequest,
): Promise<IncomingMessage> {
  const { hostname, port, host: ownHost } = new URL(url)
  const isFramed = headers.some((name) => name.toLowerCase() === 'transfer-encoding')
  const length = body === undefined || isFramed ? [] : ['Content-Length', String(Buffer.byteLength(body))]
  const all = ['Host', host ?? ownHost, ...headers, ...length]
  const sent = sendHttp({ hostname, port, method, path, agent, headers: all as never })
  sent.end(body)
  // An answer may come before all of a request has gone; the connection ends then.
  const failed = once(sent, 'error').then(([error]) => Promise.reject(error))
  failed.catch(() => {})
  const [response] = (await Promise.race([once(sent, 'response'), failed])) as [IncomingMessage]
  return response
}

/** Sends these bytes over a connection of their own, and gives all that comes until the other side ends it. */
export async function sendBytes(url: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(bytes)
  return (await buffer(socket)).toString('latin1')
}

/** The values of a header. */
export const valuesOf = (headers: readonly string[], name: string): string[] =>
  headers.filter((_, place) => place % 2 === 1 && headers[place - 1]!.toLowerCase() === name)

/** Headers without these names. */
export const withoutNames = (headers: readonly string[], ...names: readonly string[]): string[] =>
  headers.filter((_, place) => !names.includes(headers[place - (place % 2)]!.toLowerCase()))
