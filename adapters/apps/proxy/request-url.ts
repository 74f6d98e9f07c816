/** The path and the parameters of a request's URL, parsed as the engines do. */

export const pathOf = (url: string): string => url.split('?', 1)[0]!

/** The parameters: `;` separates them as `&` does, and `+` is a space. */
export const parametersOf = (url: string): URLSearchParams =>
  new URLSearchParams(url.slice(pathOf(url).length + 1).replaceAll(';', '&'))

interface SignedUrl {
  readonly path: string
  readonly query: Readonly<Record<string, string[]>>
  /** Path and parameters as sent. */
  readonly url: string
}

/**
 * The URL of a signed request, without the parameters of a signature. It spells the others in the one form that signatures use. So
 * the signature is valid whether the receiver reads the raw URL or the decoded parameters.
 */
export function signedUrl(url: string): SignedUrl {
  const path = pathOf(url)
  const query: Record<string, string[]> = Object.create(null)
  const pairs = [...parametersOf(url)].filter(([name]) => !/^x-amz-/i.test(name))
  for (const [name, value] of pairs) query[name] = [...(query[name] ?? []), value]
  const written = pairs.map((pair) => pair.map(escaped).join('=')).join('&')
  return { path, query, url: written === '' ? path : `${path}?${written}` }
}

/** Percent-encodes everything except letters, digits and `-._~` (RFC 3986). */
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
