/** Inside of a report: the explanation of the query that the end of the address names, in place of the report. */
import { useEffect, useState } from 'preact/hooks'
import type { ExplainedQuery, ReportData } from '../evaluation/report/client.ts'
import { systemName } from '../evaluation/report/words.ts'
import { SearchView } from './search-view.tsx'
import { yourWords } from './story.ts'
import { useListener } from './use-listener.ts'
import { type SearchView as View, viewOfAnswer } from './view.ts'

export function ReportPage({ queries }: ReportData) {
  const named = (): string | undefined => {
    const name = decodeURIComponent(location.hash.slice(1))
    return Object.hasOwn(queries, name) ? name : undefined
  }
  const [name, setName] = useState(named)
  useListener('hashchange', () => {
    const next = named()
    // The links to hits change the address, too.
    if (next !== undefined || location.hash === '' || location.hash.startsWith('#of-')) setName(next)
  })
  useEffect(() => showInstead(name !== undefined), [name])
  return name === undefined ? null : <Explained key={name} query={queries[name]!} back={`#of-${name}`} />
}

/** The report and the page take turns: each has a style sheet of its own. */
function showInstead(isExplained: boolean): void {
  const one = <Kind extends HTMLElement>(place: string): Kind => document.querySelector<Kind>(place)!
  one<HTMLStyleElement>('style:not(#page-style)').media = isExplained ? 'not all' : 'all'
  one<HTMLStyleElement>('#page-style').media = isExplained ? 'all' : 'not all'
  one('#report').hidden = isExplained
  one('#page').hidden = !isExplained
  if (isExplained) scrollTo(0, 0)
  const place = isExplained ? '#page .back' : location.hash.startsWith('#of-') && location.hash
  if (place) document.querySelector<HTMLElement>(place)?.focus()
}

function Explained({ query, back }: { readonly query: ExplainedQuery; readonly back: string }) {
  const { text, names, searches } = query
  const [baseline, system] = searches.map(viewOfAnswer) as [View, View]
  return (
    <main>
      <a class="back" href={back}>
        Back to the report
      </a>
      <h1 class="asked">{text}</h1>
      <SearchView
        view={system}
        name={`“${names[1]}”`}
        other={{ name: names[0] === systemName('none') ? yourWords : `“${names[0]}”`, view: baseline }}
        known={{ by: 'judgments', needed: Object.keys(searches[1].grades), grades: new Map() }}
      />
    </main>
  )
}
