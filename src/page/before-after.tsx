/** The list before and the list after, with a line from each place to the other. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Shape } from './address.ts'
import { HitRow } from './hit-row.tsx'
import { Tag } from './marks.tsx'
import { beforeRows, type Story } from './story.ts'

import { useGlide } from './use-glide.ts'
import type { SearchView } from './view.ts'
import { count } from './words.ts'

export interface Light {
  /** The mark of the search whose hits are lit. */
  readonly lit: string | undefined
  readonly onLight: (mark: string | undefined) => void
}

interface BeforeAfterProps extends Light {
  readonly story: Story
  readonly shape: Shape
}

export function BeforeAfter({ story, shape, lit, onLight }: BeforeAfterProps) {
  const { view, name, before, hits, titleOf, foundBy } = story
  const rankOf = new Map(hits.map(({ docid, rank }) => [docid, rank]))
  const docids = [...rankOf.keys()]
  const needed = new Set(story.known.needed)
  const box = useRef<HTMLDivElement>(null)
  const [lines, setLines] = useState<ReturnType<typeof linesIn>>([])
  /** What a phone shows, which has room for one list. */
  const [side, setSide] = useState<'Before' | 'After'>('After')
  useGlide(box, docids.join('\n'))

  useLayoutEffect(() => {
    const all = box.current!
    const measure = (): void => setLines(linesIn(all))
    const observer = new ResizeObserver(measure)
    for (const list of all.querySelectorAll('ol')) observer.observe(list)
    measure()
    return () => observer.disconnect()
  }, [story, shape])

  /** What the style sheet needs to know of a document. */
  const classOf = (docid: string): string => {
    const isRise = (before.ranks.get(docid) ?? 0) > (rankOf.get(docid) ?? 0)
    const isLit = foundBy(docid).some(({ label }) => label.mark === lit)
    const light = lit === undefined ? '' : isLit ? 'lit' : 'dim'
    return `${needed.has(docid) ? 'wanted' : ''} ${isRise ? 'rise' : ''} ${light}`
  }
  return (
    <div class={`lists show-${side.toLowerCase()}`} ref={box}>
      {shape === 'after' && (
        <>
          <fieldset class="sides">
            <legend class="hidden">List</legend>
            {(['Before', 'After'] as const).map((one) => (
              <button key={one} type="button" aria-pressed={side === one} onClick={() => setSide(one)}>
                {one}
              </button>
            ))}
          </fieldset>
          <section class="before">
            <h3>{before.name}</h3>
            <ol>
              {beforeRows(before, docids, story.known.needed).map(({ docid, rank, isFar }) => (
                <li key={docid} data-before={docid} class={`${isFar ? 'far' : ''} ${classOf(docid)}`}>
                  <span class="rank">{rank}</span>
                  <span>
                    {titleOf(docid)} <Tag {...{ story, docid }} />
                  </span>
                </li>
              ))}
            </ol>
          </section>
          <svg class="lines" aria-hidden="true">
            {lines.map(({ docid, from, to }) => (
              <path key={docid} class={classOf(docid)} d={`M4 ${from} C 46 ${from} 42 ${to} 84 ${to}`} />
            ))}
          </svg>
        </>
      )}
      <section class="after">
        <h3>
          {view.phase === 'searching' ? 'Your words, so far' : `With ${name}`}
          <span class="soft">{orderOf(view)}</span>
        </h3>
        <ol>
          {hits.map((hit) => (
            <HitRow key={hit.docid} {...{ hit, story, shape, onLight }} light={classOf(hit.docid)} />
          ))}
        </ol>
      </section>
    </div>
  )
}

/** From the middle of each row before to the middle of the first line of its row after. */
function linesIn(box: HTMLElement) {
  const top = box.querySelector<HTMLElement>('.lines')?.offsetTop ?? 0
  const after = new Map(
    [...box.querySelectorAll<HTMLElement>('[data-docid]')].map((row) => [row.dataset.docid, row]),
  )
  return [...box.querySelectorAll<HTMLElement>('[data-before]')].flatMap((row) => {
    const docid = row.dataset.before!
    const to = after.get(docid)
    return to === undefined ? [] : [{ docid, from: row.offsetTop + 20 - top, to: to.offsetTop + 20 - top }]
  })
}

function orderOf({ phase, reranked, hits, answer }: SearchView): string {
  if (phase !== 'done') return ''
  if (reranked?.kept) return 're-ranking failed'
  if (reranked !== undefined) return `re-ranked from ${count(reranked.pool, 'document')}`
  return answer !== undefined && hits.some(({ fused }) => fused !== undefined)
    ? 'what the answer was read from comes first'
    : ''
}
