/** Headers as on the wire: a flat list of names and values in turn, in their original order and case. */
import { identityOf as identityOfCaller } from '../drop-in/run/caller-identity.ts'

export type RawHeaders = readonly string[]

/** Headers of one connection, not of the message (RFC 9110, section 7.6.1), and `expect`, which the proxy answers itself. */
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

/** Headers from the caller to the proxy. The engine never gets them. */
const ours = 'x-querent-'

/** The headers to forward: without those of the connection, those that `Connection` names, Querent's, and `others`. */
export function forwarded(headers: RawHeaders, ...others: readonly string[]): string[] {
  const dropped = new Set([...others, ...namesIn(valuesOf(headers, 'connection'))])
  const kept: string[] = []
  for (let place = 0; place < headers.length; place += 2) {
    const name = headers[place]!.toLowerCase()
    if (hopByHop.has(name) || dropped.has(name) || name.startsWith(ours)) continue
    kept.push(headers[place]!, headers[place + 1]!)
  }
  return kept
}

/** The headers with others in place of those of the same name, or at the end. */
export function replaced(headers: RawHeaders, by: Readonly<Record<string, string>>): RawHeaders {
  const kept: string[] = []
  for (let place = 0; place < headers.length; place += 2)
    if (!(headers[place]!.toLowerCase() in by)) kept.push(headers[place]!, headers[place + 1]!)
  return [...kept, ...Object.entries(by).flat()]
}

/** The names that the values of a header list. */
const namesIn = (values: readonly string[]): string[] =>
  values.flatMap((value) => value.toLowerCase().split(',')).map((name) => name.trim())

/** The values of a header, one for each of its lines. */
const valuesOf = (headers: RawHeaders, name: string): string[] =>
  headers.filter((_, place) => place % 2 === 1 && headers[place - 1]!.toLowerCase() === name)

/** The value of a header. If it is repeated, the first value. */
export function headerOf(headers: RawHeaders, name: string): string | undefined {
  for (let place = 0; place < headers.length; place += 2)
    if (headers[place]!.toLowerCase() === name) return headers[place + 1]
  return undefined
}

/** Identifies the caller by the headers that reach the engine, and by what the application says. */
export const identityOf = (headers: RawHeaders, identity?: () => string): string =>
  identityOfCaller(
    forwarded(headers).flatMap((name, place, kept) =>
      place % 2 === 0 ? [[name, kept[place + 1]] as const] : [],
    ),
    identity,
  )
