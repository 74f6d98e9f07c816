/** One search: what became of it, in a sentence and as the list before and after. */
import { useMemo, useState } from 'preact/hooks'
import { type Shape, shapes } from './address.ts'
import { Answer } from './answer.tsx'
import { BeforeAfter } from './before-after.tsx'
import { Headline } from './headline.tsx'
import { Rail } from './rail.tsx'
import { type KnownDocuments, type Other, storyOf } from './story.ts'
import { timelineOf } from './timeline.ts'
import { TroubleBar, troubleOf } from './troubles.tsx'
import type { SearchView as View } from './view.ts'
import { milliseconds } from './words.ts'

interface SearchViewProps {
  readonly view: View
  /** The name of what searched. Default: Querent. */
  readonly name?: string | undefined
  /** The search to compare with. Default: the first request of this one. */
  readonly other?: Other | undefined
  readonly known: KnownDocuments
  readonly shape: Shape
  readonly onShape: (shape: Shape) => void
  readonly onRetry?: (() => void) | undefined
  /** A command that sends this search. */
  readonly curl?: string
}

export function SearchView({ view, name, other, known, shape, onShape, onRetry, curl }: SearchViewProps) {
  /** The mark of the search whose hits are lit. */
  const [hovered, setHovered] = useState<string>()
  const [pinned, setPinned] = useState<string>()
  const story = useMemo(() => storyOf(view, known, name, other), [view, known, name, other])
  const choices = Object.entries(shapes).filter(([key]) => key !== 'judge' || known.onJudge !== undefined)
  const light = { lit: hovered ?? pinned, onLight: setHovered }
  return (
    <article class="search" aria-busy={view.phase === 'searching'}>
      <TroubleBar trouble={troubleOf(view)} onRetry={onRetry} />
      <Headline story={story} />
      <Answer story={story} />
      {story.hits.length > 0 && (
        <>
          <div class="shapes">
            <fieldset>
              <legend class="hidden">View</legend>
              {choices.map(([key, word]) => (
                <button
                  key={key}
                  type="button"
                  aria-pressed={shape === key}
                  onClick={() => onShape(key as Shape)}
                >
                  {word}
                </button>
              ))}
            </fieldset>
            <p class="soft">{tookOf(view)}</p>
          </div>
          <div class={`parts as-${shape}`}>
            <BeforeAfter {...{ story, shape, ...light }} />
            <Rail {...{ story, pinned, onPin: setPinned, curl, ...light }} />
          </div>
        </>
      )}
    </article>
  )
}

function tookOf({ trace }: View): string {
  if (trace === undefined) return ''
  const total = milliseconds(trace.times.total)
  const [own, ...more] = timelineOf(trace)
  return own !== undefined && more.length > 1
    ? `${total}, of which your words alone took ${milliseconds(own.ms)}`
    : total
}
