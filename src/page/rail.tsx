/** Beside the lists: what was searched and where it came from, the time, what can be copied, and the numbers. */
import { useState } from 'preact/hooks'
import { conditionWords } from '../condition-words.ts'
import { originWords, searchWords } from '../text/search-origin.ts'
import type { Trace } from '../types.ts'
import { Button } from './button.tsx'
import { type Light, Mark } from './marks.tsx'
import { consideredIn, type Searched, type Story } from './story.ts'
import { timelineOf } from './timeline.ts'
import type { SearchView } from './view.ts'
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
  const { rounds, trace, phase } = view
  const more = searched.length + extras.length - 1
  /** Pressed, it keeps its hits lit and lists the best of them. */
  const row = ({ subQuery, label, origin, legs }: Searched) => {
    const { mark } = label
    const isPinned = pinned === mark
    const [on, off] = [() => onLight(mark), () => onLight(undefined)]
    return (
      <li key={`${mark} ${subQuery.text}`} class={lit === mark ? 'lit' : ''}>
        <Button
          aria-pressed={isPinned}
          {...{ onMouseEnter: on, onMouseLeave: off, onFocus: on, onBlur: off }}
          onClick={() => onPin(isPinned ? undefined : mark)}
        >
          <Mark label={label} />
          <span class="words">
            {searchWords(subQuery)}
            {subQuery.round > 0 && (
              <span class="soft">{originWords(origin, titleOf(subQuery.from ?? ''))}</span>
            )}
            {subQuery.where && (
              <span class="soft">where {subQuery.where.map(conditionWords).join(' and ')}</span>
            )}
          </span>
          <span class="number">
            {legs.length > 0 ? numbersOf(legs) : phase === 'searching' ? '…' : '–'}
            <span class={subQuery.round === 0 ? '' : 'hidden'}> hits</span>
          </span>
        </Button>
        {legs.map(
          ({ retriever, trouble }) =>
            trouble !== undefined && (
              <p key={retriever} class="trouble">
                {retriever}: {trouble}
              </p>
            ),
        )}
        {isPinned &&
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
  }
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

/** Takes a search elsewhere: its address, a command that sends it, and everything that the server answered. */
function Copy({ view, curl }: { readonly view: SearchView; readonly curl: string | undefined }) {
  const [copied, setCopied] = useState<string>()
  const { hits, answer, citations, answerable, partial, failedPrompts, trace } = view
  const answered = { hits, answer, citations, answerable, partial, failedPrompts, trace }
  const all = {
    'Copy link': () => location.href,
    ...(curl !== undefined && { curl: () => curl }),
    JSON: () => JSON.stringify(answered, null, 2),
  }
  async function copy(name: string, text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(name)
      setTimeout(() => setCopied((now) => (now === name ? undefined : now)), 2000)
    } catch {
      // Where the page is not secure, browsers have no clipboard.
      prompt('Copy this:', text)
    }
  }
  return (
    <div class="copy">
      {Object.entries(all).map(([name, textOf]) => (
        <Button key={name} onClick={() => void copy(name, textOf())}>
          {copied === name ? '✓ copied' : name}
        </Button>
      ))}
      <span class="hidden" role="status">
        {copied !== undefined && 'Copied'}
      </span>
    </div>
  )
}

/** What stands behind a decision: predictions, and what language models were asked and wrote. */
function Numbers({ view, trace }: { readonly view: SearchView; readonly trace: Trace }) {
  const { failedPrompts = [], fused } = view
  const { policy, reason, tokens, usd } = trace
  const asks = trace.steps.filter((step) => step.type === 'ask')
  const [failed, all] = [failedPrompts.length, count(tokens.prompt + tokens.completion, 'token')]
  return (
    <>
      {asks.length > 0 && (
        <section class="prompts">
          <h3>
            Prompts{' '}
            <span class="soft">
              {failed > 0 ? `${failed} failed` : all}
              {usd !== undefined && `, $${usd.toPrecision(2)}`}
            </span>
          </h3>
          {asks.map(({ prompt, model, ms, tokens: { prompt: read, completion }, output, error, startMs }) => (
            <details key={`${prompt} ${startMs}`} class={error ? 'ask trouble' : 'ask'}>
              <summary>
                {error && '✗ '}
                {prompt} <span class="soft">{error ? 'failed' : milliseconds(ms)}</span>
              </summary>
              <p class="soft">
                {model} read {count(read, 'token')} and wrote {completion.toLocaleString('en')}
              </p>
              {error && <p class="trouble">{error.message}</p>}
              {output !== undefined && <pre>{output}</pre>}
            </details>
          ))}
        </section>
      )}
      <details class="numbers">
        <summary>Numbers</summary>
        <p class="soft">
          {policy}: {reason}
          {fused && `. Fused with ${fused.method}.`}
        </p>
        {consideredIn(view)?.plans.map(({ plan, subQueries, gain }) => (
          <p key={plan} class="soft">
            {(100 * gain).toFixed(1)} points expected of {plan}: {subQueries.join(' · ')}
          </p>
        ))}
      </details>
    </>
  )
}
