/** Beside the lists: what was searched and where it came from, the time, what can be copied, and the numbers. */
import { conditionWords } from '../condition-words.ts'
import { originWords, searchWords } from '../text/search-origin.ts'
import type { Light } from './before-after.tsx'
import { Copy } from './copy.tsx'
import { Mark } from './mark.tsx'
import { Numbers } from './numbers.tsx'
import type { Searched, Story } from './story.ts'
import { timelineOf } from './timeline.ts'
import type { LegView, SearchView } from './view.ts'
import { count, milliseconds } from './words.ts'

interface RailProps extends Light {
  readonly view: SearchView
  readonly story: Story
  readonly pinned: string | undefined
  readonly onPin: (mark: string | undefined) => void
  readonly curl?: string | undefined
}

export function Rail({ view, story, pinned, onPin, lit, onLight, curl }: RailProps) {
  const { rounds, phase, trace } = view
  const { searched, extras } = story
  const requests = rounds.length - 1
  const row = (one: Searched) => (
    <SearchedRow
      key={`${one.label.mark} ${one.subQuery.text}`}
      {...{ searched: one, story, lit, onLight, isPinned: pinned === one.label.mark }}
      isOver={phase !== 'searching'}
      onPin={() => onPin(pinned === one.label.mark ? undefined : one.label.mark)}
    />
  )
  return (
    <aside>
      <section class="searches">
        <h3>
          What it searched {requests > 0 && <span class="soft">{count(requests, 'extra request')}</span>}
        </h3>
        <ul>{searched.map(row)}</ul>
        {extras.length > 0 && (
          <details class="extras">
            <summary>
              <Mark label={extras[0]!.label} /> {extras.length} more, only to have more documents to re-rank
            </summary>
            <ul>{extras.map(row)}</ul>
          </details>
        )}
      </section>
      {trace !== undefined && <Time {...{ trace, searches: searched.length + extras.length - 1 }} />}
      {trace !== undefined && <Copy {...{ view, curl }} />}
      {trace !== undefined && <Numbers {...{ view }} />}
    </aside>
  )
}

interface SearchedRowProps extends Light {
  readonly searched: Searched
  readonly story: Story
  readonly isPinned: boolean
  readonly isOver: boolean
  readonly onPin: () => void
}

/** Pressed, it keeps its hits lit and lists the best of them. */
function SearchedRow({ searched, story, isPinned, isOver, lit, onLight, onPin }: SearchedRowProps) {
  const { subQuery, label, origin, legs } = searched
  const source = subQuery.from === undefined ? '' : story.titleOf(subQuery.from)
  const from = origin === 'your words' ? '' : originWords(origin, source)
  return (
    <li class={lit === label.mark ? 'lit' : ''}>
      <button
        type="button"
        aria-pressed={isPinned}
        onMouseEnter={() => onLight(label.mark)}
        onMouseLeave={() => onLight(undefined)}
        onFocus={() => onLight(label.mark)}
        onBlur={() => onLight(undefined)}
        onClick={onPin}
      >
        <Mark label={label} />
        <span class="words">
          {searchWords(subQuery)}
          {from !== '' && <span class="soft">{from}</span>}
          {subQuery.where !== undefined && (
            <span class="soft">where {subQuery.where.map(conditionWords).join(' and ')}</span>
          )}
        </span>
        <span class="number">{numbersOf(legs, isOver)}</span>
      </button>
      {legs.map(
        ({ retriever, trouble, status }) =>
          (trouble !== undefined || (status !== undefined && status !== 'ok')) && (
            <p key={retriever} class="trouble">
              {retriever}: {trouble ?? status}
            </p>
          ),
      )}
      {isPinned && <Found {...{ legs, story }} />}
    </li>
  )
}

const numbersOf = (legs: readonly LegView[], isOver: boolean): string => {
  if (legs.length === 0) return isOver ? '–' : '…'
  return legs.length === 1
    ? (legs[0]!.hits ?? 0).toLocaleString('en')
    : legs.map(({ retriever, hits = 0 }) => `${retriever} ${hits.toLocaleString('en')}`).join(' · ')
}

/** How many of a list are shown. */
const best = 10

const Found = ({ legs, story }: { readonly legs: readonly LegView[]; readonly story: Story }) => (
  <>
    {legs.map(({ retriever, ms = 0, hits = 0, ranks }) => (
      <div key={retriever} class="found">
        <p class="soft">
          {retriever}: {count(hits, 'hit')} in {milliseconds(ms)}
        </p>
        <ol>
          {[...ranks.keys()].slice(0, best).map((docid) => (
            <li key={docid}>{story.titleOf(docid)}</li>
          ))}
        </ol>
      </div>
    ))}
  </>
)

/** One bar, divided by what the time went to. */
function Time({
  trace,
  searches,
}: {
  readonly trace: NonNullable<SearchView['trace']>
  readonly searches: number
}) {
  const parts = timelineOf(trace)
  const words = parts.map(
    ({ name, ms }) =>
      `${name === 'searches' ? count(searches, 'search', 'searches') : name} ${milliseconds(ms)}`,
  )
  return (
    <section class="time">
      <h3>
        Time <span class="soft">{milliseconds(trace.times.total)}</span>
      </h3>
      <div class="bar" aria-hidden="true">
        {parts.map(({ name, ms }) => (
          <i key={name} class={name.replaceAll(/[ -]/g, '')} style={{ flexGrow: ms }} />
        ))}
      </div>
      <p class="soft">
        {words.map((word, at) => (
          <span key={word}>
            <i class={`dot ${parts[at]!.name.replaceAll(/[ -]/g, '')}`} aria-hidden="true" /> {word}
          </span>
        ))}
      </p>
    </section>
  )
}
