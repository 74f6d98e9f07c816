/** Beside the lists: what was searched and where it came from, the time, what can be copied, and the numbers. */
import { conditionWords } from '../condition-words.ts'
import { originWords, searchWords } from '../text/search-origin.ts'
import type { Trace } from '../types.ts'
import type { Light } from './before-after.tsx'
import { Copy } from './copy.tsx'
import { Mark } from './marks.tsx'
import { Numbers } from './numbers.tsx'
import type { Searched, Story } from './story.ts'
import { timelineOf } from './timeline.ts'
import { count, milliseconds } from './words.ts'

interface RailProps extends Light {
  readonly story: Story
  /** The mark of the search that keeps its hits lit. */
  readonly pinned: string | undefined
  readonly onPin: (mark: string | undefined) => void
  readonly curl?: string | undefined
}

/** How many of a list are shown. */
const best = 10

export function Rail({ story, pinned, onPin, lit, onLight, curl }: RailProps) {
  const { view, searched, extras, titleOf } = story
  const { rounds, trace } = view
  const more = searched.length + extras.length - 1
  /** Pressed, it keeps its hits lit and lists the best of them. */
  const row = ({ subQuery, label: { mark }, label, origin, legs }: Searched) => (
    <li key={`${mark} ${subQuery.text}`} class={lit === mark ? 'lit' : ''}>
      <button
        type="button"
        aria-pressed={pinned === mark}
        onMouseEnter={() => onLight(mark)}
        onMouseLeave={() => onLight(undefined)}
        onFocus={() => onLight(mark)}
        onBlur={() => onLight(undefined)}
        onClick={() => onPin(pinned === mark ? undefined : mark)}
      >
        <Mark label={label} />
        <span class="words">
          {searchWords(subQuery)}
          {subQuery.round > 0 && (
            <span class="soft">{originWords(origin, titleOf(subQuery.from ?? ''))}</span>
          )}
          {subQuery.where !== undefined && (
            <span class="soft">where {subQuery.where.map(conditionWords).join(' and ')}</span>
          )}
        </span>
        <span class="number">
          {legs.length === 0 ? (view.phase === 'searching' ? '…' : '–') : numbersOf(legs)}
          <span class={subQuery.round === 0 ? '' : 'hidden'}> hits</span>
        </span>
      </button>
      {legs.map(
        ({ retriever, trouble, status }) =>
          (trouble !== undefined || status !== 'ok') && (
            <p key={retriever} class="trouble">
              {retriever}: {trouble ?? status}
            </p>
          ),
      )}
      {pinned === mark &&
        legs.map(({ retriever, ms, ranks }) => (
          <div key={retriever} class="found">
            <p class="soft">
              The first of {retriever}, in {milliseconds(ms)}
            </p>
            <ol>
              {[...ranks.keys()].slice(0, best).map((docid) => (
                <li key={docid}>{titleOf(docid)}</li>
              ))}
            </ol>
          </div>
        ))}
    </li>
  )
  return (
    <aside>
      <section class="searches">
        <h3>
          What it searched {more > 0 && <span class="soft">{requestWords(more, rounds.length - 1)}</span>}
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
      {trace !== undefined && (
        <>
          <Time trace={trace} searches={more} />
          <Copy {...{ view, curl }} />
          <Numbers {...{ view, trace }} />
        </>
      )}
    </aside>
  )
}

/** How the searches beside the user's words were sent. */
function requestWords(searches: number, requests: number): string {
  if (requests > 1) return `${searches} more in ${requests} steps`
  return searches > 1 ? `${searches} more at once` : 'one more'
}

const numbersOf = (legs: Searched['legs']): string =>
  legs
    .map(({ retriever, hits }) => `${legs.length > 1 ? `${retriever} ` : ''}${hits.toLocaleString('en')}`)
    .join(' · ')

/** One bar, divided by what the time went to. */
function Time({ trace, searches }: { readonly trace: Trace; readonly searches: number }) {
  const parts = timelineOf(trace).map(({ name, ms }) => ({
    ms,
    words: `${name === 'searches' ? count(searches, 'search', 'searches') : name} ${milliseconds(ms)}`,
    background: `var(--${name.replaceAll(' ', '-')})`,
  }))
  return (
    <section class="time">
      <h3>
        Time <span class="soft">{milliseconds(trace.times.total)}</span>
      </h3>
      <div class="bar" aria-hidden="true">
        {parts.map(({ words, ms, background }) => (
          <i key={words} style={{ flexGrow: ms, background }} />
        ))}
      </div>
      <p class="soft">
        {parts.map(({ words, background }) => (
          <span key={words}>
            <i class="dot" style={{ background }} aria-hidden="true" /> {words}
          </span>
        ))}
      </p>
    </section>
  )
}
