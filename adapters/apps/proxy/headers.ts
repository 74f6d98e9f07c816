/** Headers as they are on the wire: names and values in turn, in their order and case. */

export type RawHeaders = readonly string[]

/** What belongs to one connection and not to the message (RFC 9110, section 7.6.1), and what the proxy answers itself. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
])

/** What the caller tells the proxy, and no engine. */
const ours = 'x-querent-'

/** The headers that go on: without those of the connection, those that `Connection` names, ours, and `others`. */
export function forwarded(headers: RawHeaders, ...others: readonly string[]): string[] {
  const connection = headerOf(headers, 'connection')
  const dropped =
    connection === undefined || isOfItself(connection) ? others : [...others, ...namesIn(connection)]
  const kept: string[] = []
  for (let place = 0; place < headers.length; place += 2) {
    const name = headers[place]!.toLowerCase()
    if (hopByHop.has(name) || dropped.includes(name) || name.startsWith(ours)) continue
    kept.push(headers[place]!, headers[place + 1]!)
  }
  return kept
}

/** Whether `Connection` says what nearly all say, and names no header. */
const isOfItself = (connection: string): boolean => connection === 'keep-alive' || connection === 'close'

const namesIn = (connection: string): string[] =>
  connection
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())

/** The value of a header; the first one, where it is repeated. */
export function headerOf(headers: RawHeaders, name: string): string | undefined {
  for (let place = 0; place < headers.length; place += 2)
    if (headers[place]!.toLowerCase() === name) return headers[place + 1]
  return undefined
}

/** What changes from one request of a caller to the next and says nothing of who that is. */
const passing = new Set([
  ...['accept', 'accept-encoding', 'accept-language', 'cache-control', 'content-encoding', 'content-length'],
  ...['content-type', 'date', 'pragma', 'traceparent', 'tracestate', 'user-agent', 'x-elastic-client-meta'],
  ...['x-opaque-id', 'x-request-id', 'host', 'x-amz-content-sha256', 'x-amz-date', 'x-amz-security-token'],
])

/** Who asks: every header that may say so. */
export function identityOf(headers: RawHeaders): string {
  const kept = forwarded(headers)
  const pairs: string[] = []
  for (let place = 0; place < kept.length; place += 2) {
    const name = kept[place]!.toLowerCase()
    if (!passing.has(name)) pairs.push(`${name}: ${withoutSignature(kept[place + 1]!)}`)
  }
  return JSON.stringify(pairs.sort())
}

/** Of credentials for a signature (AWS) only whose it is: the rest is another one for each request. */
const withoutSignature = (value: string): string => /^AWS4-\S+ +Credential=[^/]+/.exec(value)?.[0] ?? value
