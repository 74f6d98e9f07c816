/** The page that searches: a form, and below it what the last search did. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { SearchingPage } from '../../adapters/apps/http/page-response.ts'
import type { GivenTurn } from '../types.ts'
import { addressOf, type Form, formOf, mostHits } from './address.ts'
import type { PageQuery } from './ask.ts'
import { JudgmentsBar } from './judgments-bar.tsx'
import { QueryForm } from './query-form.tsx'
import { keepQuery, recentQueries } from './recent-queries.ts'
import { SearchView } from './search-view.tsx'
import { yourWords } from './story.ts'
import { useJudgments } from './use-judgments.ts'
import { useSearches } from './use-searches.ts'
import { Welcome } from './welcome.tsx'
import { count } from './words.ts'

export function LivePage({ others, sample }: SearchingPage) {
  const [form, setForm] = useState<Form>(() => formOf(location.search, others, history.state))
  const { searches, old, search, stop, reset } = useSearches()
  const judging = useJudgments()
  const input = useRef<HTMLInputElement>(null)
  /** What was searched last. */
  const ran = useRef<Form>(form)

  function run(asked: Form): void {
    ran.current = asked
    const query = queryOf(asked)
    document.title = query.text === '' ? 'Querent' : `${query.text} – Querent`
    if (query.text === '') reset()
    else {
      keepQuery(query.text)
      search(query, asked.beside)
    }
  }

  /** Searches, as a step of the browser's history. */
  function go(asked: Form): void {
    setForm(asked)
    const address = asked.text.trim() === '' ? location.pathname : addressOf(asked)
    const turns = turnsOf(asked.history)
    const isSame = address === (location.search || location.pathname)
    history[isSame ? 'replaceState' : 'pushState'](turns, '', address)
    run(asked)
  }

  useEffect(() => {
    run(form)
    if (form.text === '') input.current?.focus()
    const onBack = ({ state }: PopStateEvent): void => {
      const before = formOf(location.search, others, state)
      // The links to cited hits are steps of the history, too, and search nothing.
      if (addressOf(before) === addressOf(ran.current)) return
      setForm(before)
      run(before)
    }
    const onSlash = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
      if ((event.target as Element).matches('input, textarea, select')) return
      event.preventDefault()
      input.current?.select()
    }
    addEventListener('popstate', onBack)
    addEventListener('keydown', onSlash)
    return () => {
      removeEventListener('popstate', onBack)
      removeEventListener('keydown', onSlash)
    }
  }, [])

  // The state may lack what was typed last: it is rendered later than a fast Enter.
  const submit = (): void => go({ ...form, text: input.current?.value ?? form.text })

  function show(shape: Form['shape']): void {
    setForm({ ...form, shape })
    ran.current = { ...ran.current, shape }
    history.replaceState(history.state, '', addressOf(ran.current))
  }

  const isSearching = searches.some(({ view }) => view.phase === 'searching')
  const shown = (all: typeof searches) => {
    const [one, other] = all
    if (one === undefined) return null
    const { view } = one
    return (
      <SearchView
        view={view}
        name={other && quoted(view.policy ?? 'the policy')}
        other={other && { name: nameOf(other.system), view: other.view }}
        known={judging.knownOf(view, sample?.questions)}
        shape={form.shape}
        onShape={show}
        onRetry={() => run(ran.current)}
        curl={curlOf(queryOf(ran.current))}
      />
    )
  }
  const first = searches[0]
  /** Searches again at once, beside another optimizer or beside none. */
  function compare(beside: string | undefined): void {
    if (first === undefined) setForm({ ...form, beside })
    else go({ ...form, beside })
  }
  const hasNothing = first?.view.phase === 'failed' && first.view.rounds[0]!.legs.length === 0
  return (
    <>
      <header class="top">
        <div class="inner">
          <p class="brand">
            <a href={location.pathname}>Querent</a>
          </p>
          <QueryForm
            {...{ text: form.text, history: form.history, input, isSearching }}
            placeholder="Ask or search …"
            summary={summaryOf(form)}
            onType={(typed) => setForm({ ...form, ...typed })}
            onSubmit={submit}
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
                onInput={({ currentTarget }) => setForm({ ...form, k: currentTarget.valueAsNumber })}
              />
            </label>
            {others.length > 0 && (
              <label>
                Compare with
                <select
                  value={form.beside ?? ''}
                  onChange={({ currentTarget: { value } }) => compare(value === '' ? undefined : value)}
                >
                  <option value="">your words alone</option>
                  {others.map((name) => (
                    <option key={name} value={name}>
                      {name === 'none' ? 'a search of your words alone' : name}
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
        <h1 class="asked in-field">{first === undefined ? 'Look at a search' : first.view.text}</h1>
        {first?.view.history !== undefined && first.view.history.length > 0 && (
          <p class="soft turns">after “{first.view.history.map(({ text }) => text).join('” “')}”</p>
        )}
        <p class="hidden" role="status">
          {first !== undefined && statusOf(searches)}
        </p>
        {first === undefined ? (
          <Welcome
            sample={sample}
            recent={recentQueries()}
            addressOf={(text) => addressOf({ ...form, text })}
            onAsk={(text, turns) => go({ ...form, text, history: turns })}
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

const turnsOf = (history: readonly GivenTurn[]): readonly GivenTurn[] =>
  history.filter((turn) => turn.text.trim() !== '')

function queryOf({ text, k, history }: Form): PageQuery {
  const turns = turnsOf(history)
  return { text: text.trim(), k, ...(turns.length > 0 && { history: turns }) }
}

const summaryOf = ({ history, beside }: Form): string =>
  [
    'Options',
    ...(history.length > 0 ? [count(history.length, 'turn')] : []),
    ...(beside === undefined ? [] : ['compared']),
  ].join(' · ')

const quoted = (name: string): string => `“${name}”`

/** Nothing but the words is searched by the policy `none`. */
const nameOf = (system: string | undefined): string =>
  system === undefined || system === 'none' ? yourWords : quoted(system)

const curlOf = (query: PageQuery): string => {
  const body = JSON.stringify({ ...query, explain: true }).replaceAll("'", "'\\''")
  return `curl '${location.origin}${location.pathname}' -H 'content-type: application/json' -d '${body}'`
}

/** For screen readers. */
function statusOf(searches: ReturnType<typeof useSearches>['searches']): string {
  return searches
    .map(({ view }) => {
      if (view.phase === 'searching') return 'Searching'
      return view.phase === 'failed' ? 'The search failed' : count(view.hits.length, 'hit')
    })
    .join('. ')
}
