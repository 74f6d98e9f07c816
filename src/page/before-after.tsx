/** The list before and the list after, with a line from each place to the other. Rows glide to their places. */
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Shape } from './address.ts'
import { Button } from './button.tsx'
import { HitRow } from './hit-row.tsx'
import { type Light, Tag } from './marks.tsx'
import { beforeRows, type Story } from './story.ts'
import type { SearchView } from './view.ts'
import { count } from './words.ts'

interface BeforeAfterProps extends Light {
  readonly story: Story
  readonly shape: Shape
}

export function BeforeAfter({ story, shape, lit, onLight }: BeforeAfterProps) {
  const { view, name, before, known, hits, titleOf, foundBy } = story
  const rankOf = new Map(hits.map(({ docid, rank }) => [docid, rank]))
  const docids = [...rankOf.keys()]
  const box = useRef<HTMLDivElement>(null)
  const [lines, setLines] = useState<ReturnType<typeof linesIn>>([])
  /** What a phone shows, which has room for one list. */
  const [side, setSide] = useState<'Before' | 'After'>('After')
  useGlide(box, docids.join('\n'))

  useLayoutEffect(() => {
    const all = box.current!
    // Tells the first sizes, too.
    const observer = new ResizeObserver(() => setLines(linesIn(all)))
    for (const list of all.querySelectorAll('ol')) observer.observe(list)
    return () => observer.disconnect()
  }, [story, shape])

  /** What the style sheet needs to know of a document. */
  const classOf = (docid: string): string => {
    const isRise = (before.ranks.get(docid) ?? 0) > (rankOf.get(docid) ?? 0)
    const isLit = foundBy(docid).some(({ label }) => label.mark === lit)
    const light = lit === undefined ? '' : isLit ? 'lit' : 'dim'
    return `${known.needed.includes(docid) ? 'wanted' : ''} ${isRise ? 'rise' : ''} ${light}`
  }
  return (
    <div class={`lists show-${side.toLowerCase()}`} ref={box}>
      {shape === 'after' && (
        <>
          <fieldset class="sides">
            <legend class="hidden">List</legend>
            {(['Before', 'After'] as const).map((one) => (
              <Button key={one} aria-pressed={side === one} onClick={() => setSide(one)}>
                {one}
              </Button>
            ))}
          </fieldset>
          <section class="before">
            <h3>{before.name}</h3>
            <ol>
              {beforeRows(before, docids, known.needed).map(({ docid, rank, isFar }) => (
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
  const rows = [...box.querySelectorAll<HTMLElement>('li')]
  const top = (box.querySelector<HTMLElement>('.lines')?.offsetTop ?? 0) - 20
  return rows.flatMap((row) => {
    const docid = row.dataset.before ?? ''
    const to = rows.find(({ dataset }) => dataset.docid === docid)
    return to === undefined ? [] : [{ docid, from: row.offsetTop - top, to: to.offsetTop - top }]
  })
}

function orderOf({ phase, reranked, hits, answer }: SearchView): string {
  if (phase !== 'done') return ''
  if (reranked?.kept) return 're-ranking failed'
  if (reranked !== undefined) return `re-ranked from ${count(reranked.pool, 'document')}`
  const isFused = hits.some(({ fused }) => fused !== undefined)
  return answer !== undefined && isFused ? 'what the answer was read from comes first' : ''
}

const timing = { duration: 280, easing: 'cubic-bezier(0.2, 0, 0, 1)' }

/**
 * Rows glide from where they were to where they are, unless the reader wants less motion.
 *
 * @param order changes when rows change places. Rows have `data-docid`.
 */
function useGlide(box: RefObject<HTMLElement | null>, order: string): void {
  const tops = useRef<ReadonlyMap<string, number>>(new Map())
  useLayoutEffect(() => {
    const rows = [...box.current!.querySelectorAll<HTMLElement>('[data-docid]')]
    const before = tops.current
    tops.current = new Map(rows.map((row) => [row.dataset.docid!, row.offsetTop]))
    if (before.size === 0 || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    for (const row of rows) {
      const was = before.get(row.dataset.docid!)
      if (was === undefined) row.animate([{ opacity: 0 }, { opacity: 1 }], timing)
      else if (was !== row.offsetTop)
        row.animate([{ transform: `translateY(${was - row.offsetTop}px)` }, { transform: 'none' }], timing)
    }
  }, [order])
}
