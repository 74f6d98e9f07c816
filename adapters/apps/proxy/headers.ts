/** Headers as on the wire: a flat list of names and values in turn, in their original order and case. */
import { namesIn } from '../drop-in/parse/json.ts'
import { identityOf as identityOfCaller } from '../drop-in/run/caller-identity.ts'

export type RawHeaders = readonly string[]

/** Headers of one connection, not of the message (RFC 9110, section 7.6.1), and `expect`, which the proxy answers itself. */
const hopByHop = new Set(
  namesIn(`
  connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding
  upgrade expect`),
)

/** Headers from the caller to the proxy. The engine never gets them. */
const ours = 'x-querent-'

/** The lines whose name, in lower case, is to be linesWhere. */
export const linesWhere = (headers: RawHeaders, isKept: (name: string) => boolean): string[] =>
  headers.filter((_, place) => isKept(headers[place - (place % 2)]!.toLowerCase()))

/** The headers to forward: without those of the connection, those that `Connection` names, Querent's, and `others`. */
export function forwarded(headers: RawHeaders, ...others: readonly string[]): string[] {
  const named = linesWhere(headers, (name) => name === 'connection')
    .join()
    .toLowerCase()
    .split(',')
  const dropped = new Set([...others, ...named.map((name) => name.trim())])
  return linesWhere(headers, (name) => !hopByHop.has(name) && !dropped.has(name) && !name.startsWith(ours))
}

/** The headers with others in place of those of the same name, or at the end. */
export const replaced = (headers: RawHeaders, by: Readonly<Record<string, string>>): RawHeaders => [
  ...linesWhere(headers, (name) => !(name in by)),
  ...Object.entries(by).flat(),
]

/** The value of a header. If it is repeated, the first value. */
export const headerOf = (headers: RawHeaders, name: string): string | undefined =>
  headers.find((_, place) => place % 2 === 1 && headers[place - 1]!.toLowerCase() === name)

/** Identifies the caller by the headers that reach the engine, and by what the application says. */
export const identityOf = (headers: RawHeaders, identity?: () => string): string =>
  identityOfCaller(
    forwarded(headers).flatMap((name, place, all) => (place % 2 === 0 ? [[name, all[place + 1]]] : [])),
    identity,
  )
