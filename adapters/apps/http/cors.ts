/** Lets pages of other origins call a handler (Fetch standard, section 3.3: CORS protocol). */
type Handler = (request: Request) => Promise<Response>

/** Seconds for which a browser need not ask again. */
const maxAge = '600'

/**
 * Answers the browser's question before a request (preflight), and names the origin in every answer to it. Other origins get the
 * answers without that name, so browsers keep them from the page.
 *
 * @param origins such as `https://example.org`; `*` stands for all
 */
export function withCors(handle: Handler, origins: readonly string[]): Handler {
  const allowed = new Set(origins)
  return async (request) => {
    const origin = request.headers.get('origin')
    const isAsking = request.method === 'OPTIONS' && request.headers.has('access-control-request-method')
    const response = isAsking ? new Response(null, { status: 204 }) : await handle(request)
    const { headers } = response
    if (!allowed.has('*')) headers.append('vary', 'Origin')
    if (origin === null || !(allowed.has('*') || allowed.has(origin))) return response
    headers.set('access-control-allow-origin', allowed.has('*') ? '*' : origin)
    if (isAsking) {
      headers.set('access-control-allow-methods', 'GET, POST')
      const asked = request.headers.get('access-control-request-headers')
      if (asked !== null) headers.set('access-control-allow-headers', asked)
      headers.set('access-control-max-age', maxAge)
    }
    return response
  }
}
