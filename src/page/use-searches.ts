/** Runs a search, or two one after the other, so that neither slows the other down. A new one ends those before it. */
import { useRef, useState } from 'preact/hooks'
import type { SearchParameters } from '../../adapters/apps/http/parameters.ts'
import type { Problem } from '../../adapters/apps/http/problem.ts'
import type { SearchEvent } from '../../adapters/apps/http/stream.ts'
import { begun, failed, type SearchView, stopped, withEvent } from './view.ts'

export type PageQuery = Pick<SearchParameters, 'text' | 'k' | 'history'>

interface Search {
  /** The name of the optimizer; absent for the first. */
  readonly system: string | undefined
  readonly view: SearchView
}

const lost = {
  title: 'The server did not answer.',
  detail: 'The connection failed or was closed.',
  remedy: 'Check that it is running.',
}

export function useSearches() {
  const [searches, setSearches] = useState<readonly Search[]>([])
  /** The last ones that ended well: what is shown, and named, below one that fails. */
  const [old, setOld] = useState<readonly Search[]>([])
  const running = useRef(new AbortController())

  async function run(asked: PageQuery, systems: readonly Search['system'][]): Promise<void> {
    const { signal } = running.current
    for (const system of systems) {
      const change = (next: (view: SearchView) => SearchView): void => {
        if (signal.aborted) return
        setSearches((all) =>
          all.map((one) => (one.system === system ? { ...one, view: next(one.view) } : one)),
        )
      }
      const onEvent = (event: SearchEvent): void => change((view) => withEvent(view, event))
      const problem = await ask(asked, system, onEvent, signal).catch(() => lost)
      change((view) => failed(view, problem ?? lost))
    }
  }

  function stop(): void {
    running.current.abort()
    setSearches((all) => all.map((one) => ({ ...one, view: stopped(one.view) })))
  }

  /** Without words there is no search. */
  function search(asked: PageQuery, beside: string | undefined): void {
    running.current.abort()
    running.current = new AbortController()
    const systems = asked.text === '' ? [] : beside === undefined ? [undefined] : [undefined, beside]
    if (searches[0]?.view.phase === 'done') setOld(searches)
    setSearches(systems.map((system) => ({ system, view: begun(asked) })))
    void run(asked, systems)
  }

  return { searches, old, search, stop }
}

/**
 * Asks the server that the page came from, and reads the stages of a search while they come.
 *
 * @returns why the server refused, if it did
 */
async function ask(
  asked: PageQuery,
  system: string | undefined,
  onEvent: (event: SearchEvent) => void,
  signal: AbortSignal,
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
