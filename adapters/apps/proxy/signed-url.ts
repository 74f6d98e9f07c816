/**
 * The URL of a signed request. It spells the parameters in the one form that signatures use. So the signature is valid whether
 * the receiver reads the raw URL or the decoded parameters.
 */
import { parametersOf, pathOf } from './request-url.ts'

interface SignedUrl {
  readonly path: string
  readonly query: Readonly<Record<string, string[]>>
  /** Path and parameters as sent. */
  readonly url: string
}

/** @param url path and parameters as the caller wrote them; the parameters of a signature are removed */
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

/** Percent-encodes everything except letters, digits and `-._~` (RFC 3986). */
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
