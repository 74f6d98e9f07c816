/** Which requests are searches: by method, path, media types and credentials. What is not passes through unread. */
import type { IncomingMessage } from 'node:http'
import { headerOf } from './headers.ts'
import { parametersOf, pathOf } from './request-url.ts'

export interface Route {
  readonly kind: 'search' | 'msearch'
  /** As in the URL, decoded; undefined for all. */
  readonly index: string | undefined
  /** The path before `/_search` or `/_msearch`, as it was written. */
  readonly path: string
  readonly parameters: Readonly<Record<string, string>>
}

/**
 * A search, or why it is none that can be read; undefined for anything else.
 *
 * @param signs whether the proxy signs, so that a signature of the caller's is of no use
 */
export function routeOf(
  { method, url = '/', rawHeaders }: IncomingMessage,
  signs: boolean,
): Route | { readonly reason: string } | undefined {
  if (method !== 'GET' && method !== 'POST') return undefined
  const [, before = '', name] = /^(|\/[^/]+)\/(_search|_msearch)\/?$/.exec(pathOf(url)) ?? []
  if (name === undefined) return undefined
  // Requests that are signed are signed with their bodies.
  if (!signs && headerOf(rawHeaders, 'authorization')?.startsWith('AWS4-') === true)
    return { reason: 'it is signed, and another body would not be' }
  const type = headerOf(rawHeaders, 'content-type')
  // Words in the URL need no body, and no body has no type.
  const isTyped = type !== undefined || !parametersOf(url).has('q')
  if (isTyped && !isJson(type)) return { reason: `its body is ${type ?? 'of no type'}` }
  const accept = headerOf(rawHeaders, 'accept') ?? '*/*'
  if (!accept.includes('*/*') && !isJson(accept)) return { reason: `it wants ${accept}` }
  try {
    // Escapes that are none are the engine's to refuse; URLSearchParams would leave them as they are.
    decodeURIComponent(url)
    const parameters = Object.fromEntries(parametersOf(url))
    const index = before === '' ? undefined : decodeURIComponent(before.slice(1))
    return { kind: name === '_search' ? 'search' : 'msearch', index, path: before, parameters }
  } catch {
    return { reason: 'its URL cannot be read' }
  }
}

/** Whether the URL has all that a search needs. */
export const isByUrl = (route: Route | { readonly reason: string }): boolean =>
  'kind' in route && route.kind === 'search' && route.parameters.q !== undefined

/** `application/json`, its vendor form, and lines of it. */
const isJson = (type: string | undefined): boolean =>
  /^\s*application\/(vnd\.(elasticsearch|opensearch)\+)?(x-nd)?json\s*(;|,|$)/i.test(type ?? '')
