/** Recognizes searches by method, path, media types and credentials. All other requests pass through unread. URLs are parsed as the engines do. */
import type { IncomingMessage } from 'node:http'
import { quoted } from '../drop-in/parse/json.ts'
import { headerOf } from './headers.ts'

export interface Route {
  readonly kind: 'search' | 'msearch'
  /** As in the URL, decoded. `undefined` for all indices. */
  readonly index: string | undefined
  /** The path before `/_search` or `/_msearch`, as in the URL. */
  readonly path: string
  readonly parameters: Readonly<Record<string, string>>
}

/**
 * The route of a search, or the reason why its request cannot be read. `undefined` for all other requests.
 *
 * @param signs whether the proxy signs requests. If so, a caller's signature does not matter.
 */
export function routeOf(
  { method, url = '/', rawHeaders }: IncomingMessage,
  signs: boolean,
): Route | { readonly reason: string } | undefined {
  if (method !== 'GET' && method !== 'POST') return undefined
  const [, before = '', name] = /^(|\/[^/]+)\/(_search|_msearch)\/?$/.exec(pathOf(url)) ?? []
  if (name === undefined) return undefined
  // A signature covers the body, so the proxy could not change the body.
  if (!signs && headerOf(rawHeaders, 'authorization')?.startsWith('AWS4-') === true)
    return { reason: 'it is signed, and another body would not be' }
  const type = headerOf(rawHeaders, 'content-type')
  // A query in the URL needs no body, and without a body there is no content type.
  const isTyped = type !== undefined || !parametersOf(url).has('q')
  if (isTyped && !isJson(type))
    return { reason: type === undefined ? 'its body has no type' : `its body is ${quoted(type)}` }
  const accept = headerOf(rawHeaders, 'accept') ?? '*/*'
  if (!accept.includes('*/*') && !isJson(accept)) return { reason: `it asks for ${quoted(accept)}` }
  try {
    // The engine must refuse invalid escapes. URLSearchParams would leave them unchanged.
    decodeURIComponent(url)
    const parameters = Object.fromEntries(parametersOf(url))
    const index = before === '' ? undefined : decodeURIComponent(before.slice(1))
    return { kind: name === '_search' ? 'search' : 'msearch', index, path: before, parameters }
  } catch {
    return { reason: 'its URL cannot be read' }
  }
}

/** Whether the URL alone makes a search. */
export const isByUrl = (route: Route | { readonly reason: string }): boolean =>
  'kind' in route && route.kind === 'search' && route.parameters.q !== undefined

/** `application/json`, its vendor forms, and JSON lines. */
const isJson = (type: string | undefined): boolean =>
  /^\s*application\/(vnd\.(elasticsearch|opensearch)\+)?(x-nd)?json\s*(;|,|$)/i.test(type ?? '')

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
