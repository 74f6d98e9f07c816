/** Runs a search, or two one after the other, so that neither slows the other down. A new one ends those before it. */
import { useRef, useState } from 'preact/hooks'
import type { SearchEvent } from '../../adapters/apps/http/stream.ts'
import { ask, type PageQuery } from './ask.ts'
import { begun, failed, type SearchView, stopped, withEvent } from './view.ts'

interface Search {
  /** The name of the optimizer; absent for the first. */
  readonly system?: string | undefined
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
  const running = useRef<AbortController>(undefined)

  async function run(
    asked: PageQuery,
    systems: readonly (string | undefined)[],
    signal: AbortSignal,
  ): Promise<void> {
    for (const system of systems) {
      const change = (next: (view: SearchView) => SearchView): void => {
        if (signal.aborted) return
        setSearches((all) =>
          all.map((one) => (one.system === system ? { ...one, view: next(one.view) } : one)),
        )
      }
      const onEvent = (event: SearchEvent): void => change((view) => withEvent(view, event))
      const problem = await ask(asked, system, { onEvent, signal }).catch(() => lost)
      change((view) => (view.phase === 'searching' ? failed(view, problem ?? lost) : view))
    }
  }

  function stop(): void {
    running.current?.abort()
    setSearches((all) =>
      all.map((one) => (one.view.phase === 'searching' ? { ...one, view: stopped(one.view) } : one)),
    )
  }

  function search(asked: PageQuery, beside: string | undefined): void {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    const systems = beside === undefined ? [undefined] : [undefined, beside]
    if (searches[0]?.view.phase === 'done') setOld(searches)
    setSearches(systems.map((system) => ({ system, view: begun(asked) })))
    void run(asked, systems, controller.signal)
  }

  function reset(): void {
    running.current?.abort()
    setSearches([])
  }

  return { searches, old, search, stop, reset }
}
