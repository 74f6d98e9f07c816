/** Who may see a page that is meant for its operator: callers by a known host name and, if one is set, with the token. */
import { z } from 'zod'
import { problem, problemResponse } from './problem.ts'

export interface GuardOptions {
  /**
   * The host names under which browsers reach the page, without ports. Requests for others are refused, because a page of
   * someone else could otherwise reach this one on its user's machine by a name of its own (DNS rebinding). `false`: not
   * checked, for a server behind another one that checks. Default: `localhost`, `127.0.0.1` and `[::1]`.
   */
  readonly hosts?: readonly string[] | false | undefined
  /**
   * A secret that callers must know: at the end of the address as `?token=…` the first time, then as a cookie that the page
   * sets. Default: none is needed.
   */
  readonly token?: string | undefined
}

export const guardShape = {
  hosts: z.union([z.array(z.string()).min(1), z.literal(false)]).optional(),
  token: z.string().min(16, 'must have 16 characters or more').optional(),
}

const ownHosts = ['localhost', '127.0.0.1', '[::1]']
const cookieName = 'querent-page'

/** Returns what a request is refused or redirected with; `undefined` if it may pass. */
export function createGuard({
  hosts = ownHosts,
  token,
}: GuardOptions): (request: Request) => Response | undefined {
  return (request) => {
    const host = hostOf(request)
    if (hosts !== false && !hosts.includes(host))
      return problemResponse(problem('wrong-host', `This page is not for the host ${JSON.stringify(host)}`))
    return token === undefined ? undefined : checkToken(request, token)
  }
}

/** The host name that the client asked for. */
function hostOf({ headers, url }: Request): string {
  const named = headers.get('host')
  if (named === null) return new URL(url).hostname
  return URL.canParse(`http://${named}`) ? new URL(`http://${named}`).hostname : named
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
