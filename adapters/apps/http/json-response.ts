/** An answer in JSON. No cache may store it. */
export function jsonResponse(
  value: unknown,
  {
    status = 200,
    headers = {},
  }: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  const body = new TextEncoder().encode(JSON.stringify(value))
  return new Response(body, {
    status,
    headers: {
      'content-type': 'application/json',
      'content-length': String(body.length),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
  })
}

/** Removes the body from the answer to a HEAD request. Canceling a stream of stages ends its search. */
export function asAsked({ method }: Request, response: Response): Response {
  if (method !== 'HEAD') return response
  void response.body?.cancel()
  return new Response(null, response)
}
