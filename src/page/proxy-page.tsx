/** The page before a proxy: its latest searches, and all that happened in one of them. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Shape } from './address.ts'
import { type ProxySearch, searchesAfter, searchOf, searchThrough } from './ask-proxy.ts'
import { JudgmentsBar } from './judgments-bar.tsx'
import { type EngineHit, withReadableDocids } from './proxy-docids.ts'
import { ProxyForm } from './proxy-form.tsx'
import { RecentSearches } from './recent-searches.tsx'
import { SearchView } from './search-view.tsx'
import { TroubleBar } from './troubles.tsx'
import { useJudgments } from './use-judgments.ts'
import { useListener } from './use-listener.ts'
import { type SearchView as View, viewOfAnswer } from './view.ts'

interface Opened {
  readonly id: number
  readonly view: View
  readonly said: string | undefined
}

export function ProxyPage() {
  const judging = useJudgments()
  const [opened, setOpened] = useState<Opened>()
  const [trouble, setTrouble] = useState<string>()
  const [isSearching, setSearching] = useState(false)
  const [shape, setShape] = useState<Shape>('after')
  const running = useRef(new AbortController())
  /** Does again what was tried last. */
  const retry = useRef<() => void>(undefined)
  /** What the page's own search found, with the documents, which traces have not. */
  const found = useRef(new Map<number, readonly EngineHit[]>())

  async function attempt(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    retry.current = () => void attempt(work)
    running.current.abort()
    running.current = new AbortController()
    const { signal } = running.current
    setTrouble(undefined)
    try {
      await work(signal)
    } catch (error) {
      if (!signal.aborted) setTrouble((error as Error).message)
    }
  }

  const search = (asked: ProxySearch): Promise<void> =>
    attempt(async (signal) => {
      setSearching(true)
      try {
        const { last } = await searchesAfter(Number.MAX_SAFE_INTEGER, signal)
        const hits = await searchThrough(asked, signal)
        const { searches } = await searchesAfter(last, signal)
        const own = searches.find(({ text, kind }) => text === asked.text.trim() && kind !== undefined)
        const said = searches[0]?.said ?? 'was not looked at'
        if (own === undefined) throw new Error(`This search ${said}. The engine alone answered it.`)
        found.current = new Map([[own.id, hits]])
        location.hash = String(own.id)
      } finally {
        setSearching(false)
      }
    })

  function open(): void {
    const id = Number(location.hash.slice(1))
    // The links to cited hits change the hash, too.
    if (!Number.isInteger(id) || id <= 0) return
    void attempt(async (signal) => {
      const { said, ...answer } = await searchOf(id, signal)
      const view = viewOfAnswer(withReadableDocids(answer, found.current.get(id)))
      setOpened({ id, view, said })
      document.title = `${view.text} – Querent`
    })
  }
  useEffect(open, [])
  useListener('hashchange', open)

  const isOld = trouble !== undefined
  return (
    <>
      <header class="top">
        <div class="inner">
          <p class="brand">Querent</p>
          <ProxyForm onSearch={search} onStop={() => running.current.abort()} isSearching={isSearching} />
        </div>
      </header>
      <main class="inspecting">
        <RecentSearches opened={opened?.id} />
        <div>
          <TroubleBar
            trouble={isOld ? { kind: 'failed', what: trouble } : undefined}
            onRetry={() => retry.current?.()}
          />
          <div class={isOld ? 'old' : ''}>
            {opened === undefined ? (
              <>
                <h1 class="hidden">Searches of the proxy</h1>
                {!isOld && <Welcome />}
              </>
            ) : (
              <>
                {isOld && <p class="old-name">These are the results of a search before.</p>}
                <h1 class="asked">{opened.view.text}</h1>
                {opened.said !== undefined && <p class="soft">{opened.said}</p>}
                <SearchView
                  view={opened.view}
                  known={judging.knownOf(opened.view)}
                  shape={shape}
                  onShape={setShape}
                />
              </>
            )}
          </div>
        </div>
      </main>
      <JudgmentsBar {...judging} />
    </>
  )
}

const Welcome = () => (
  <section class="welcome">
    <h2>See what a search finds, and what its words alone would have found</h2>
    <p>
      Choose a search that an application sent through the proxy, or send one of your own. Left you see what
      the words find on their own, right what Querent finds, and beside it what it searched to get there.
    </p>
  </section>
)
