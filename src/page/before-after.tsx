/** The list before and the list after, with a line from each place to the other. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { HitRow } from './hit-row.tsx'
import type { Judged } from './search-view.tsx'
import type { Shape } from './shapes.ts'
import { type Before, beforeRows, type Story } from './story.ts'
import { useGlide } from './use-glide.ts'
import type { SearchView } from './view.ts'
import { count } from './words.ts'

export interface Light {
  /** The mark of the search whose hits are lit. */
  readonly lit: string | undefined
  readonly onLight: (mark: string | undefined) => void
}

export interface BeforeAfterProps extends Light {
  readonly view: SearchView
  readonly story: Story
  readonly before: Before
  readonly at: string
  readonly judged: Judged
  readonly shape: Shape
  readonly name?: string | undefined
}

interface Line {
  readonly docid: string
  readonly from: number
  readonly to: number
}

export function BeforeAfter({
  view,
  story,
  before,
  at,
  judged,
  shape,
  name,
  lit,
  onLight,
}: BeforeAfterProps) {
  const { hits, titleOf, foundBy } = story
  const docids = hits.map(({ docid }) => docid)
  const rows = beforeRows(before, docids, judged.needed)
  const needed = new Set(judged.needed)
  const box = useRef<HTMLDivElement>(null)
  const [lines, setLines] = useState<readonly Line[]>([])
  /** What a phone shows, which has room for one list. */
  const [side, setSide] = useState<'before' | 'after'>('after')
  useGlide(box, docids.join('\n'))

  useLayoutEffect(() => {
    const all = box.current!
    const measure = (): void => setLines(shape === 'after' ? linesIn(all) : [])
    const observer = new ResizeObserver(measure)
    for (const list of all.querySelectorAll('ol')) observer.observe(list)
    measure()
    return () => observer.disconnect()
  }, [view, before, shape])

  const isLit = (docid: string): boolean | undefined =>
    lit === undefined ? undefined : foundBy(docid).some(({ label }) => label.mark === lit)
  const state = (docid: string): string => ({ true: 'lit', false: 'dim' })[String(isLit(docid))] ?? ''
  const rankOf = new Map(hits.map(({ docid, rank }) => [docid, rank]))
  return (
    <div class={`lists show-${side}`} ref={box}>
      {shape === 'after' && (
        <fieldset class="sides">
          <legend class="hidden">List</legend>
          {(['before', 'after'] as const).map((one) => (
            <button key={one} type="button" aria-pressed={side === one} onClick={() => setSide(one)}>
              {one === 'before' ? 'Before' : 'After'}
            </button>
          ))}
        </fieldset>
      )}
      {shape === 'after' && (
        <section class="before">
          <h3>{before.name}</h3>
          <ol>
            {rows.map(({ docid, rank, isFar }) => (
              <li
                key={docid}
                data-before={docid}
                class={`${isFar ? 'far' : ''} ${needed.has(docid) ? 'wanted' : ''} ${state(docid)}`}
              >
                <span class="rank">{rank}</span>
                <span>
                  {titleOf(docid)} {needed.has(docid) && <span class="tag">{judged.word}</span>}
                </span>
              </li>
            ))}
          </ol>
        </section>
      )}
      {shape === 'after' && (
        <svg class="lines" aria-hidden="true">
          {lines.map(({ docid, from, to }) => (
            <path
              key={docid}
              class={`${needed.has(docid) ? 'wanted' : ''} ${isRise(before, docid, rankOf) ? 'rise' : ''} ${state(docid)}`}
              d={`M4 ${from} C 46 ${from} 42 ${to} 84 ${to}`}
            />
          ))}
        </svg>
      )}
      <section class="after">
        <h3>
          {view.phase === 'searching' ? 'Your words, so far' : `With ${name ?? 'Querent'}`}
          <span class="soft">{orderOf(view)}</span>
        </h3>
        <ol>
          {hits.map((hit) => (
            <HitRow
              key={hit.docid}
              {...{ hit, view, story, before, at, judged, shape, onLight }}
              light={state(hit.docid)}
            />
          ))}
        </ol>
      </section>
    </div>
  )
}

const isRise = ({ ranks }: Before, docid: string, after: ReadonlyMap<string, number>): boolean =>
  (ranks.get(docid) ?? 0) > (after.get(docid) ?? 0)

/** From the middle of each row before to the middle of the first line of its row after. */
function linesIn(box: HTMLElement): Line[] {
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
