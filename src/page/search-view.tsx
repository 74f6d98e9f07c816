/** Everything about one search. */
import { Answer } from './answer.tsx'
import { Decision } from './decision.tsx'
import { Hits, type HitsProps } from './hits.tsx'
import { Prompts } from './prompts.tsx'
import { Requests } from './requests.tsx'
import { Times } from './times.tsx'
import type { SearchView as View } from './view.ts'

interface SearchViewProps {
  readonly view: View
  /** The heading, where several are side by side. */
  readonly name?: string | undefined
  readonly at: string
  /** The search beside this one. */
  readonly other?: { readonly name: string; readonly view: View } | undefined
  readonly judged?: HitsProps['judged']
}

export function SearchView({ view, name, at, other, judged }: SearchViewProps) {
  const beside = other?.view.phase === 'done' ? { name: other.name, ranks: ranksOf(other.view) } : undefined
  return (
    <article class="search" aria-busy={view.phase === 'searching'}>
      <h2 class={name === undefined ? 'hidden' : undefined}>{name ?? 'The search'}</h2>
      {view.problem !== undefined && (
        <div class="problem" role="alert">
          <p>
            <strong>{view.problem.title}</strong> {view.problem.detail}
          </p>
          <p>{view.problem.remedy}</p>
        </div>
      )}
      <Decision view={view} />
      <div class="columns">
        <div>
          <Answer {...{ view, at }} />
          <Hits {...{ view, at, beside, judged }} />
        </div>
        <aside>
          <Requests view={view} />
          <Times view={view} />
          <Prompts view={view} />
        </aside>
      </div>
    </article>
  )
}

const ranksOf = ({ hits }: View): ReadonlyMap<string, number> =>
  new Map(hits.map(({ docid, rank }) => [docid, rank]))
