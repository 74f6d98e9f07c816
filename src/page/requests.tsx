/** Each request to the retrievers: what was searched, and what each leg found. */
import { conditionWords } from '../condition-words.ts'
import type { SubQuery } from '../types.ts'
import { type LabelOf, labelsOf } from './labels.ts'
import { Mark } from './mark.tsx'
import type { LegView, RoundView, SearchView } from './view.ts'
import { count, milliseconds } from './words.ts'

export function Requests({ view }: { readonly view: SearchView }) {
  const labelOf = labelsOf(view.rounds)
  const fused = view.fused?.texts && new Set(view.fused.texts.map(({ text }) => text))
  return (
    <section class="requests">
      <h3>Requests</h3>
      <ol>
        {view.rounds.map((round) => (
          <Request key={round.round} {...{ round, labelOf, fused }} isOver={view.phase !== 'searching'} />
        ))}
      </ol>
    </section>
  )
}

interface RequestProps {
  readonly round: RoundView
  readonly labelOf: LabelOf
  /** The texts whose lists were fused; `undefined` while that is not known. */
  readonly fused: ReadonlySet<string> | undefined
  readonly isOver: boolean
}

function Request({ round: { round, subQueries, legs }, labelOf, fused, isOver }: RequestProps) {
  const isExtra = ({ text }: SubQuery): boolean => round > 0 && fused !== undefined && !fused.has(text)
  const extras = subQueries.filter(isExtra)
  const textsOf = (shown: readonly SubQuery[]) => (
    <ul>
      {shown.map((subQuery) => (
        <Searched
          key={keyOf(subQuery)}
          {...{ subQuery, labelOf, isOver }}
          legs={legs.filter((leg) => keyOf(leg.subQuery) === keyOf(subQuery))}
        />
      ))}
    </ul>
  )
  return (
    <li>
      <h4>
        {round + 1}. {round === 0 ? 'Your words, while the policy decides' : count(subQueries.length, 'text')}
      </h4>
      {textsOf(subQueries.filter((subQuery) => !isExtra(subQuery)))}
      {extras.length > 0 && (
        <details class="extras">
          <summary>{count(extras.length, 'text')} searched only for re-ranking</summary>
          {textsOf(extras)}
        </details>
      )}
    </li>
  )
}

const keyOf = ({ text, where }: SubQuery): string => JSON.stringify([text, where])

interface SearchedProps extends Pick<RequestProps, 'labelOf' | 'isOver'> {
  readonly subQuery: SubQuery
  readonly legs: readonly LegView[]
}

function Searched({ subQuery, legs, labelOf, isOver }: SearchedProps) {
  return (
    <li class="searched">
      <Mark label={labelOf(subQuery)} />
      <div>
        <p class="words">{subQuery.text}</p>
        {subQuery.from !== undefined && <p class="soft">made from {subQuery.from}</p>}
        {subQuery.where !== undefined && (
          <p class="soft">where {subQuery.where.map(conditionWords).join(' and ')}</p>
        )}
        {legs.map((leg) => (
          <Leg key={leg.retriever} leg={leg} />
        ))}
        {legs.length === 0 && <p class="soft">{isOver ? 'not answered' : 'searching …'}</p>}
      </div>
    </li>
  )
}

function Leg({ leg: { retriever, status, hits = 0, ms = 0, found, trouble } }: { readonly leg: LegView }) {
  const facts =
    status === 'ok' ? `${count(hits, 'hit')}, ${milliseconds(ms)}` : `${status} after ${milliseconds(ms)}`
  return (
    <>
      {found.length === 0 ? (
        <p class={`leg ${status === 'ok' ? '' : 'failed'}`}>
          {retriever} <span>{facts}</span>
        </p>
      ) : (
        <details class="leg">
          <summary>
            {retriever} <span>{facts}</span>
          </summary>
          <ol class="found">
            {found.map((docid) => (
              <li key={docid}>{docid}</li>
            ))}
          </ol>
        </details>
      )}
      {trouble !== undefined && <p class="trouble">{trouble}</p>}
    </>
  )
}
