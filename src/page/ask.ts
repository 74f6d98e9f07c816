/** Sends a search to the server that the page came from, and reads its stages while they come. */
import type { SearchParameters } from '../../adapters/apps/http/parameters.ts'
import type { Problem } from '../../adapters/apps/http/problem.ts'
import type { SearchEvent } from '../../adapters/apps/http/stream.ts'

export type PageQuery = Pick<SearchParameters, 'text' | 'k' | 'history'>

/**
 * @param system the name of another optimizer; the first if it is `undefined`
 * @returns why the server refused, if it did
 */
export async function ask(
  asked: PageQuery,
  system: string | undefined,
  { onEvent, signal }: { readonly onEvent: (event: SearchEvent) => void; readonly signal: AbortSignal },
): Promise<Problem | undefined> {
  const parameters = new URLSearchParams({ stream: '1', ...(system !== undefined && { system }) })
  const response = await fetch(`${location.pathname}?${parameters}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...asked, explain: true }),
    signal,
  })
  if (!response.ok || response.body === null) return (await response.json()) as Problem
  for await (const line of linesOf(response.body)) onEvent(JSON.parse(line) as SearchEvent)
  return undefined
}

/** Safari has no iterator of streams. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>)
    .getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    const lines = (rest + value).split('\n')
    rest = lines.pop() ?? ''
    yield* lines.filter((line) => line !== '')
  }
  if (rest !== '') yield rest
}
