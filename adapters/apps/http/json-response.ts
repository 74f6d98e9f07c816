/** An answer in JSON. What a search came to is nobody's to keep. */
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
      ...headers,
    },
  })
}

/** The answer, to HEAD without its body: a search whose stages nobody reads ends. */
export function asAsked({ method }: Request, response: Response): Response {
  if (method !== 'HEAD') return response
  void response.body?.cancel()
  return new Response(null, response)
}
