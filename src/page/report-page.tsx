/** Inside of a report: the explanation of the query that the end of the address names, in place of the report. */
import { useEffect, useState } from 'preact/hooks'
import type { ExplainedQuery, ReportData } from '../evaluation/report/client.ts'
import { SearchView } from './search-view.tsx'
import { viewOfAnswer } from './view.ts'

export function ReportPage({ queries }: ReportData) {
  const [name, setName] = useState(named(queries))
  useEffect(() => {
    const onHash = (): void => {
      const next = named(queries)
      // The links to hits change the address, too.
      if (next !== undefined || location.hash === '' || location.hash.startsWith('#of-')) setName(next)
    }
    addEventListener('hashchange', onHash)
    return () => removeEventListener('hashchange', onHash)
  }, [])
  useEffect(() => showInstead(name), [name])
  const query = name === undefined ? undefined : queries[name]
  return query === undefined ? null : <Explained key={name} query={query} back={`#of-${name}`} />
}

const named = (queries: ReportData['queries']): string | undefined => {
  const name = decodeURIComponent(location.hash.slice(1))
  return Object.hasOwn(queries, name) ? name : undefined
}

/** The report and the page take turns: each has a style sheet of its own. */
function showInstead(name: string | undefined): void {
  const isExplained = name !== undefined
  document.querySelector<HTMLStyleElement>('style:not(#page-style)')!.media = isExplained ? 'not all' : 'all'
  document.querySelector<HTMLStyleElement>('#page-style')!.media = isExplained ? 'all' : 'not all'
  document.querySelector<HTMLElement>('#report')!.hidden = isExplained
  document.querySelector<HTMLElement>('#page')!.hidden = !isExplained
  if (isExplained) scrollTo(0, 0)
  const place = isExplained ? '#page .back' : location.hash.startsWith('#of-') && location.hash
  if (place) document.querySelector<HTMLElement>(place)?.focus()
}

function Explained({
  query: { text, names, searches },
  back,
}: {
  readonly query: ExplainedQuery
  readonly back: string
}) {
  const views = searches.map(viewOfAnswer)
  return (
    <main>
      <a class="back" href={back}>
        Back to the report
      </a>
      <h1 class="asked">{text}</h1>
      <div class="pair">
        {views.map((view, at) => (
          <SearchView
            key={names[at]}
            at={`hit-${at}`}
            view={view}
            name={names[at]}
            other={{ name: names[1 - at]!, view: views[1 - at]! }}
            judged={{ grades: searches[at]!.grades }}
          />
        ))}
      </div>
    </main>
  )
}
