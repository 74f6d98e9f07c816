/** The page before a proxy: its latest searches, and all that happened in one of them. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { type ProxySearch, searchesAfter, searchOf, searchThrough } from './ask-proxy.ts'
import { JudgmentsBar, useJudgments } from './judging.tsx'
import { keep, readKept } from './kept.ts'
import { type EngineHit, withReadableDocids } from './proxy-docids.ts'
import { QueryForm } from './query-form.tsx'
import { RecentSearches } from './recent-searches.tsx'
import { SearchView } from './search-view.tsx'
import { TroubleBar } from './troubles.tsx'
import { useListener } from './use-listener.ts'
import { type SearchView as View, viewOfAnswer } from './view.ts'

/** Where the browser keeps the index and the fields. */
const place = 'querent proxy form'

export function ProxyPage() {
  const [form, setForm] = useState<ProxySearch>(() => ({ text: '', history: [], ...kept() }))
  const { text, index, fields } = form
  const change = (part: Partial<ProxySearch>): void => setForm({ ...form, ...part })
  const judging = useJudgments()
  const [opened, setOpened] = useState<{
    readonly id: number
    readonly view: View
    readonly said: string | undefined
  }>()
  const [trouble, setTrouble] = useState<string>()
  const [isSearching, setSearching] = useState(false)
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
        const own = searches.find(({ text, kind }) => text === asked.text && kind !== undefined)
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
          <QueryForm
            {...{ ...form, isSearching }}
            placeholder="Search through the proxy …"
            onType={change}
            onSubmit={() => {
              keep(place, { index, fields })
              if (text.trim() !== '') void search({ ...form, text: text.trim() })
            }}
            onStop={() => running.current.abort()}
          >
            <label>
              Index
              <input
                value={index}
                placeholder="all"
                onInput={({ currentTarget: { value } }) => change({ index: value.trim() })}
              />
            </label>
            <label>
              Fields
              <input
                value={fields}
                required
                onInput={({ currentTarget: { value } }) => change({ fields: value })}
              />
            </label>
          </QueryForm>
        </div>
      </header>
      <main class="inspecting">
        <RecentSearches opened={opened?.id} />
        <div>
          <TroubleBar trouble={isOld ? ['failed', trouble] : undefined} onRetry={() => retry.current?.()} />
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
                <SearchView view={opened.view} known={judging.knownOf(opened.view)} />
              </>
            )}
          </div>
        </div>
      </main>
      <JudgmentsBar {...judging} />
    </>
  )
}

function kept(): Pick<ProxySearch, 'index' | 'fields'> {
  const { index = '', fields = 'title, text' } = Object(readKept(place))
  return { index: String(index), fields: String(fields) }
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
