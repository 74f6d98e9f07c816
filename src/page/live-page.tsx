/** The page that searches: a form, and below it what the last search did. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { SearchingPage } from '../../adapters/apps/http/page-response.ts'
import { addressOf, type Form, formOf, mostHits } from './address.ts'
import { JudgmentsBar, useJudgments } from './judging.tsx'
import { filled } from './judgments.ts'
import { keepQuery } from './kept.ts'
import { QueryForm } from './query-form.tsx'
import { SearchView } from './search-view.tsx'
import { yourWords } from './story.ts'
import { useKey, useListener } from './use-listener.ts'
import { type PageQuery, useSearches } from './use-searches.ts'
import { Welcome } from './welcome.tsx'
import { count } from './words.ts'

export function LivePage({ others, sample }: SearchingPage) {
  const [form, setForm] = useState<Form>(() => formOf(location.search, others, history.state))
  const { searches, old, search, stop } = useSearches()
  const judging = useJudgments()
  const input = useRef<HTMLInputElement>(null)
  /** What was searched last. */
  const ran = useRef<Form>(form)
  const change = (part: Partial<Form>): void => setForm({ ...form, ...part })

  function run(asked: Form): void {
    ran.current = asked
    const query = queryOf(asked)
    document.title = query.text === '' ? 'Querent' : `${query.text} – Querent`
    if (query.text !== '') keepQuery(query.text)
    search(query, asked.beside)
  }

  /** Searches, as a step of the browser's history. */
  function go(part: Partial<Form>): void {
    const asked = { ...form, ...part }
    setForm(asked)
    const address = asked.text.trim() === '' ? location.pathname : addressOf(asked)
    const isSame = address === (location.search || location.pathname)
    history[isSame ? 'replaceState' : 'pushState'](filled(asked.history), '', address)
    run(asked)
  }

  useEffect(() => {
    run(form)
    if (form.text === '') input.current?.focus()
  }, [])
  useListener('popstate', ({ state }) => {
    const before = formOf(location.search, others, state)
    // The links to cited hits are steps of the history, too, and search nothing.
    if (addressOf(before) === addressOf(ran.current)) return
    setForm(before)
    run(before)
  })
  useKey(
    ({ key, ctrlKey, metaKey, altKey }) => key === '/' && !(ctrlKey || metaKey || altKey),
    () => input.current?.select(),
  )

  function show(shape: Form['shape']): void {
    change({ shape })
    ran.current = { ...ran.current, shape }
    history.replaceState(history.state, '', addressOf(ran.current))
  }

  const shown = ([one, other]: typeof searches) =>
    one && (
      <SearchView
        view={one.view}
        name={other && quoted(one.view.policy ?? 'the policy')}
        other={other && { name: nameOf(other.system), view: other.view }}
        known={judging.knownOf(one.view, sample?.questions)}
        shape={form.shape}
        onShape={show}
        onRetry={() => run(ran.current)}
        curl={curlOf(queryOf(ran.current))}
      />
    )
  const view = searches[0]?.view
  /** Searches again at once, beside another optimizer or beside none. */
  const compare = view === undefined ? change : go
  const hasNothing = view?.phase === 'failed' && view.rounds[0]!.legs.length === 0
  return (
    <>
      <header class="top">
        <div class="inner">
          <p class="brand">
            <a href={location.pathname}>Querent</a>
          </p>
          <QueryForm
            {...{ text: form.text, history: form.history, input }}
            isSearching={searches.some((one) => one.view.phase === 'searching')}
            placeholder="Ask or search …"
            summary={summaryOf(form)}
            onType={change}
            // The state may lack what was typed last: it is rendered later than a fast Enter.
            onSubmit={() => go({ text: input.current?.value ?? form.text })}
            onStop={stop}
          >
            <label>
              Hits
              <input
                type="number"
                min="1"
                max={mostHits}
                required
                value={form.k}
                onInput={({ currentTarget }) => change({ k: currentTarget.valueAsNumber })}
              />
            </label>
            {others.length > 0 && (
              <label>
                Compare with
                <select
                  value={form.beside ?? ''}
                  onChange={({ currentTarget: { selectedIndex } }) =>
                    compare({ beside: others[selectedIndex - 1] })
                  }
                >
                  {['', ...others].map((name) => (
                    <option key={name} value={name}>
                      {besideWords[name] ?? name}
                    </option>
                  ))}
                </select>
              </label>
            )}
          </QueryForm>
          {sample !== undefined && <p class="soft about">sample · {count(sample.documents, 'document')}</p>}
        </div>
      </header>
      <main>
        <h1 class="asked in-field">{view?.text ?? 'Look at a search'}</h1>
        {view?.history !== undefined && view.history.length > 0 && (
          <p class="soft turns">after “{view.history.map(({ text }) => text).join('” “')}”</p>
        )}
        <p class="hidden" role="status">
          {searches.map(statusOf).join('. ')}
        </p>
        {view === undefined ? (
          <Welcome
            sample={sample}
            addressOf={(text) => addressOf({ ...form, text })}
            onAsk={(text, turns) => go({ text, history: turns })}
          />
        ) : (
          shown(searches)
        )}
        {hasNothing && old[0] !== undefined && (
          <section class="old" aria-label="Results of the search before">
            <p class="old-name">
              These are the results of the search before: <b>{old[0].view.text}</b>
            </p>
            {shown(old)}
          </section>
        )}
      </main>
      <JudgmentsBar {...judging} />
    </>
  )
}

function queryOf({ text, k, history }: Form): PageQuery {
  const turns = filled(history)
  return { text: text.trim(), k, ...(turns.length > 0 && { history: turns }) }
}

function summaryOf({ history: { length }, beside }: Form): string {
  const parts = ['Options', length > 0 && count(length, 'turn'), beside !== undefined && 'compared']
  return parts.filter(Boolean).join(' · ')
}

const besideWords: Readonly<Record<string, string>> = {
  '': 'your words alone',
  none: 'a search of your words alone',
}

const quoted = (name: string): string => `“${name}”`

/** Nothing but the words is searched by the policy `none`. */
const nameOf = (system: string | undefined): string =>
  system === undefined || system === 'none' ? yourWords : quoted(system)

const curlOf = (query: PageQuery): string => {
  const body = JSON.stringify({ ...query, explain: true }).replaceAll("'", "'\\''")
  return `curl '${location.origin}${location.pathname}' -H 'content-type: application/json' -d '${body}'`
}

/** For screen readers. */
const statusOf = ({ view: { phase, hits } }: ReturnType<typeof useSearches>['searches'][number]): string =>
  ({ searching: 'Searching', failed: 'The search failed', done: count(hits.length, 'hit') })[phase]
