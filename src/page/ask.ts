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
  if (!response.ok || response.body === null) return response.json()
  // Safari has no iterator of streams.
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split('\n')
    rest = lines.pop()!
    for (const line of lines) onEvent(JSON.parse(line))
  }
  return undefined
}
