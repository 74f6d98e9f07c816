/** What the page before a proxy asks it: its latest searches, one of them, and a search of its own. */
import type { FoundSearch, RecentSearches } from '../../adapters/apps/proxy/inspect.ts'
import type { GivenTurn } from '../types.ts'
import { filled } from './judgments.ts'
import type { EngineHit } from './proxy-docids.ts'

export interface ProxySearch {
  readonly text: string
  readonly history: readonly GivenTurn[]
  /** An index, an alias or a pattern. Empty for all indices. */
  readonly index: string
  /** Names of text fields, separated by commas. */
  readonly fields: string
}

export const searchesAfter = (id: number, signal: AbortSignal): Promise<RecentSearches> =>
  read(`${location.pathname}?after=${id}`, signal)

export const searchOf = (id: number, signal: AbortSignal): Promise<FoundSearch> =>
  read(`${location.pathname}?id=${id}`, signal)

async function read<Answer>(address: string, signal: AbortSignal): Promise<Answer> {
  const response = await fetch(address, { signal })
  if (response.ok) return response.json()
  const { detail } = await response.json().catch(() => ({}))
  throw new Error(`${detail ?? `The proxy answered with ${response.status}`}.`)
}

/** Sends a search through the proxy, as an application would. @throws Error with the engine's reason */
export async function searchThrough(
  { text, history, index, fields }: ProxySearch,
  signal: AbortSignal,
): Promise<readonly EngineHit[]> {
  const names = fields
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const [only = '', ...others] = names
  const query =
    others.length === 0 ? { match: { [only]: text } } : { multi_match: { query: text, fields: names } }
  const turns = filled(history)
  const response = await fetch(`/${index === '' ? '' : `${encodeURIComponent(index)}/`}_search`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(turns.length > 0 && { 'x-querent-history': encodeURIComponent(JSON.stringify(turns)) }),
    },
    body: JSON.stringify({ query }),
    signal,
  })
  const answer = await response.json()
  if (response.ok) return answer.hits?.hits ?? []
  throw new Error(`The engine answered with ${response.status}: ${answer.error?.reason ?? 'no reason'}`)
}
