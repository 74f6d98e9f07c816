/** The page that searches: a form, and below it what the last search did. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { SearchingPage } from '../../adapters/apps/http/page-response.ts'
import { addressOf, type Form, formOf } from './address.ts'
import { decisionWords } from './decision.tsx'
import { gradesOf } from './judgments.ts'
import { JudgmentsBar } from './judgments-bar.tsx'
import { SearchForm } from './search-form.tsx'
import { SearchView } from './search-view.tsx'
import { useJudgments } from './use-judgments.ts'
import { useSearches } from './use-searches.ts'
import { count } from './words.ts'

export function LivePage({ others }: SearchingPage) {
  const [form, setForm] = useState<Form>(() => formOf(location.search, others))
  const { searches, search, stop } = useSearches()
  const { judge, ...judging } = useJudgments()
  const input = useRef<HTMLInputElement>(null)
  /** The address of the last search, without its fragment. */
  const ran = useRef('')

  function run(asked: Form): void {
    ran.current = location.search
    const text = asked.text.trim()
    if (text === '') return
    document.title = `${text} – Querent`
    const turns = asked.history.filter((turn) => turn.text.trim() !== '')
    search({ text, k: asked.k, ...(turns.length > 0 && { history: turns }) }, asked.beside)
  }

  useEffect(() => {
    run(form)
    input.current?.focus()
    const onBack = (): void => {
      // The links to cited hits are steps of the history, too, and search nothing.
      if (location.search === ran.current) return
      const before = formOf(location.search, others)
      setForm((now) => ({ ...before, history: now.history }))
      run(before)
    }
    addEventListener('popstate', onBack)
    return () => removeEventListener('popstate', onBack)
  }, [])

  function submit(): void {
    // The state may lack what was typed last: it is rendered later than a fast Enter.
    const asked = { ...form, text: input.current?.value ?? form.text }
    const address = addressOf(asked)
    if (address !== location.search) history.pushState(null, '', address)
    run(asked)
  }

  const isSearching = searches.some(({ view }) => view.phase === 'searching')
  const [first, second] = searches
  const judged = first && {
    grades: gradesOf(judging.judgments, first.view),
    onJudge: (docid: string, grade: number | undefined) => judge(first.view, docid, grade),
  }
  return (
    <>
      <header class="top">
        <div class="inner">
          <p class="brand">Querent</p>
          <SearchForm
            {...{ form, others, input, isSearching }}
            onChange={setForm}
            onSubmit={submit}
            onStop={stop}
          />
        </div>
      </header>
      <main>
        <h1 class="hidden">{first === undefined ? 'Look at a search' : first.view.text}</h1>
        <p class="hidden" role="status">
          {first !== undefined && statusOf(searches)}
        </p>
        {first === undefined ? (
          <Welcome />
        ) : (
          <div class={second === undefined ? 'single' : 'pair'}>
            <SearchView
              at="hit"
              view={first.view}
              judged={judged}
              name={second && nameOf(first)}
              other={second && { name: nameOf(second), view: second.view }}
            />
            {second !== undefined && (
              <SearchView
                at="other"
                view={second.view}
                judged={judged}
                name={nameOf(second)}
                other={{ name: nameOf(first), view: first.view }}
              />
            )}
          </div>
        )}
      </main>
      <JudgmentsBar {...judging} />
    </>
  )
}

type Searches = ReturnType<typeof useSearches>['searches']

/** The first optimizer has the name of its policy, which its answer tells. */
const nameOf = ({ system, view }: Searches[number]): string => system ?? view.policy ?? 'the policy'

/** For screen readers. */
function statusOf(searches: Searches): string {
  return searches
    .map(({ view }) => {
      if (view.phase === 'searching') return 'Searching'
      return view.phase === 'failed'
        ? 'The search failed'
        : `${decisionWords(view)}: ${count(view.hits.length, 'hit')}`
    })
    .join('. ')
}

const Welcome = () => (
  <section class="welcome">
    <h2>Look at a search</h2>
    <p>Type a query to see how it is answered:</p>
    <ol>
      <li>what your words find on their own,</li>
      <li>whether they are searched as they are, rewritten or split, and why,</li>
      <li>what each text finds at each retriever,</li>
      <li>which list brought each hit, how far re-ranking moved it, and how long everything took.</li>
    </ol>
    <p>
      Judge the hits as you go: <code>querent evaluate</code> and <code>querent train</code> read what you
      save.
    </p>
  </section>
)
