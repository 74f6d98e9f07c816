/**
 * The URL of a request that is signed: its parameters in the one spelling that a signature is made of, so that it does not
 * matter whether the other side takes them as they were read or as they were written.
 */
import { parametersOf, pathOf } from './request-url.ts'

interface SignedUrl {
  readonly path: string
  readonly query: Readonly<Record<string, string[]>>
  /** Both, as they are sent. */
  readonly url: string
}

/** @param url path and parameters, as the caller wrote them; a signature among them is left out */
export function signedUrl(url: string): SignedUrl {
  const path = pathOf(url)
  const query: Record<string, string[]> = Object.create(null)
  const pairs: string[] = []
  for (const [name, value] of parametersOf(url)) {
    if (/^x-amz-/i.test(name)) continue
    query[name] = [...(query[name] ?? []), value]
    pairs.push(`${escaped(name)}=${escaped(value)}`)
  }
  return { path, query, url: pairs.length === 0 ? path : `${path}?${pairs.join('&')}` }
}

/** Nothing but letters, digits and `-._~` stays (RFC 3986). */
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
