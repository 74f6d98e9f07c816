/** The page that searches: a form, and below it what the last search did. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { SearchingPage } from '../../adapters/apps/http/page-response.ts'
import type { GivenTurn } from '../types.ts'
import { addressOf, type Form, formOf } from './address.ts'
import type { PageQuery } from './ask.ts'
import { gradesOf, type Judged as Query, sameQuery } from './judgments.ts'
import { JudgmentsBar } from './judgments-bar.tsx'
import { keepQuery, recentQueries } from './recent-queries.ts'
import { SearchForm } from './search-form.tsx'
import { type Judged, SearchView, yourWords } from './search-view.tsx'
import { useJudgments } from './use-judgments.ts'
import { useSearches } from './use-searches.ts'
import { Welcome } from './welcome.tsx'
import { count } from './words.ts'

export function LivePage({ others, sample }: SearchingPage) {
  const [form, setForm] = useState<Form>(() => formOf(location.search, others, history.state))
  const { searches, old, search, stop, reset } = useSearches()
  const { judge, ...judging } = useJudgments()
  const input = useRef<HTMLInputElement>(null)
  /** What the last search was asked, and what its address was, without the fragment. */
  const ran = useRef<{ readonly asked: Form; readonly address: string }>(undefined)

  function run(asked: Form): void {
    ran.current = { asked, address: location.search }
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
      // The links to cited hits are steps of the history, too, and search nothing.
      if (location.search === ran.current?.address) return
      const before = formOf(location.search, others, state)
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
    const next = { ...form, shape }
    setForm(next)
    if (ran.current === undefined) return
    const address = addressOf({ ...ran.current.asked, shape })
    history.replaceState(history.state, '', address)
    ran.current = { asked: { ...ran.current.asked, shape }, address: location.search }
  }

  const isSearching = searches.some(({ view }) => view.phase === 'searching')
  const shown = (all: typeof searches) => {
    const [one, other] = all
    if (one === undefined) return null
    const { view } = one
    return (
      <SearchView
        at="hit"
        view={view}
        name={other && quoted(view.policy ?? 'the policy')}
        other={other && { name: nameOf(other.system), view: other.view }}
        judged={judgedOf(view)}
        shape={form.shape}
        onShape={show}
        onRetry={() => ran.current && run(ran.current.asked)}
        curl={curlOf(queryOf(ran.current?.asked ?? form))}
      />
    )
  }
  function judgedOf(view: Query): Judged {
    const known = sample?.questions.find((question) => sameQuery(question, view))?.needed
    const grades = gradesOf(judging.judgments, view)
    const own = Object.keys(grades).filter((docid) => grades[docid]! > 0)
    return {
      needed: known ?? own,
      word: known === undefined ? 'relevant' : 'needed',
      grades,
      onJudge: (docid, grade) => judge(view, docid, grade),
    }
  }

  const first = searches[0]
  const hasNothing = first?.view.phase === 'failed' && first.view.rounds[0]!.legs.length === 0
  return (
    <>
      <header class="top">
        <div class="inner">
          <p class="brand">
            <a href={location.pathname}>Querent</a>
          </p>
          <SearchForm
            {...{ form, others, input, isSearching }}
            onChange={setForm}
            onSubmit={submit}
            onCompare={(beside) =>
              first === undefined ? setForm({ ...form, beside }) : go({ ...form, beside })
            }
            onStop={stop}
          />
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
