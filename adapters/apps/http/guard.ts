/** Who may reach a server: programs, its own pages and those that are allowed. And who may see a page for its operator. */
import { z } from 'zod'
import { type Problem, problem, problemResponse } from './problem.ts'

export interface HostOptions {
  /**
   * The host names under which it is reached, beside those of this machine. Requests for others are refused, because a page of
   * someone else could otherwise reach it by a name of its own (DNS rebinding). `false`: not checked, for a server behind another
   * one that checks. Default: none. A server that other machines can reach checks only if names are given.
   */
  readonly hosts?: readonly string[] | false | undefined
}

export interface DoorOptions extends HostOptions {
  /** The origins of other pages that may call it, such as `https://shop.example`; `*` stands for all. Default: none. */
  readonly cors?: readonly string[] | undefined
}

export interface GuardOptions extends HostOptions {
  /**
   * A secret that callers must know: at the end of the address as `?token=…` the first time, then as a cookie that the page
   * sets. Default: none is needed.
   */
  readonly token?: string | undefined
}

export const isOrigin = (text: string): boolean => text === '*' || urlOf(text)?.origin === text
export const mustBeOrigins = 'must be origins such as https://example.org, without a path, or *'

export const doorShape = {
  hosts: z.union([z.array(z.string()).min(1), z.literal(false)]).optional(),
  cors: z.array(z.string().refine(isOrigin, mustBeOrigins)).optional(),
}

export const guardShape = {
  hosts: doorShape.hosts,
  token: z.string().min(16, 'must have 16 characters or more').optional(),
}

const cookieName = 'querent-page'

type HeaderOf = (name: string) => string | null | undefined
/** `byAddress`: all IP addresses are names of the server. `isPage`: links of other sites may open what is asked for. */
type Doors = DoorOptions & { readonly byAddress?: boolean; readonly isPage?: boolean }

/** Returns what a request is refused with; `undefined` if it may pass, as programs may that reach the server by its address. */
export const refusalOf = (headerOf: HeaderOf, doors: Doors): Problem | undefined =>
  wrongHost(headerOf, doors) ?? crossSite(headerOf, doors)

/** Whether a name or an address always means this machine. */
export const isLoopback = (host: string): boolean =>
  /^(127(\.\d+){1,3}|(.+\.)?localhost|\[?::1\]?|::ffff:127\..+)$/.test(host)

function wrongHost(headerOf: HeaderOf, { hosts = [], byAddress }: Doors): Problem | undefined {
  const asked = headerOf('host')
  // Browsers always name a host.
  if (hosts === false || !asked) return undefined
  const host = hostnameOf(asked)
  if (isLoopback(host) || hosts.some((own) => hostnameOf(own) === host)) return undefined
  if (byAddress && /^(\[.+\]|[\d.]+)$/.test(host)) return undefined
  // Nobody can register a name without a dot. Programs have such names for containers.
  if (/^[\w-]+$/.test(host) && !headerOf('origin')) return undefined
  return problem('wrong-host', `This is not for the host ${JSON.stringify(host)}`)
}

function crossSite(headerOf: HeaderOf, { cors = [], isPage }: Doors): Problem | undefined {
  const [origin, site] = [headerOf('origin') ?? '', headerOf('sec-fetch-site')]
  // The browser's own word comes first: a server in between may have changed the host.
  if (site ? site === 'same-origin' || site === 'none' : !origin || isAt(origin, headerOf('host')))
    return undefined
  const isLink = headerOf('sec-fetch-mode') === 'navigate' && headerOf('sec-fetch-dest') === 'document'
  if ((isPage && isLink) || cors.includes('*') || cors.includes(origin)) return undefined
  return problem('cross-site', `This is not for pages of ${origin || 'other sites'}`)
}

/** Whether an origin has this host and port. The scheme may differ: TLS may end at a server in between. */
function isAt(origin: string, host: string | null | undefined): boolean {
  const page = urlOf(origin)
  return page !== undefined && page.host === urlOf(`${page.protocol}//${host}`)?.host
}

const urlOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)
const hostnameOf = (host: string): string => urlOf(`http://${host}`)?.hostname ?? host

/** The headers of a request. Where it has no host, that of its address counts. */
export const headersOf = (request: Request) => (name: string) =>
  request.headers.get(name) ?? (name === 'host' ? new URL(request.url).host : null)

/** Returns what a request is refused or redirected with; `undefined` if it may pass. */
export function createGuard({ hosts, token }: GuardOptions): (request: Request) => Response | undefined {
  return (request) => {
    const refused = wrongHost(headersOf(request), { hosts })
    if (refused !== undefined) return problemResponse(refused)
    return token === undefined ? undefined : checkToken(request, token)
  }
}

function checkToken(request: Request, token: string): Response | undefined {
  const url = new URL(request.url)
  const given = url.searchParams.get('token')
  if (given !== null && request.method === 'GET' && isSame(given, token)) {
    // The address without the token, so that it stays out of histories and of what people copy.
    url.searchParams.delete('token')
    const cookie = `${cookieName}=${encodeURIComponent(token)}; Path=${url.pathname}; HttpOnly; SameSite=Strict`
    const headers = {
      location: `${url.pathname}${url.search}`,
      'set-cookie': cookie,
      'cache-control': 'no-store',
    }
    return new Response(null, { status: 303, headers })
  }
  const kept = cookieOf(request)
  if (kept !== undefined && isSame(kept, encodeURIComponent(token))) return undefined
  return problemResponse(problem('wrong-token', 'This page is for those who know its token'))
}

const cookieOf = ({ headers }: Request): string | undefined =>
  headers
    .get('cookie')
    ?.split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${cookieName}=`))
    ?.slice(cookieName.length + 1)

/** Takes as long for a text that is nearly right as for one that is wrong. */
function isSame(given: string, wanted: string): boolean {
  let difference = given.length ^ wanted.length
  for (let at = 0; at < given.length; at++)
    difference |= given.charCodeAt(at) ^ wanted.charCodeAt(at % wanted.length)
  return difference === 0
}
