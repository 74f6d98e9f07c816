/** One search: what became of it, in a sentence and as the list before and after. */
import { useMemo, useState } from 'preact/hooks'
import { Answer } from './answer.tsx'
import { BeforeAfter } from './before-after.tsx'
import { Headline } from './headline.tsx'
import type { OnJudge } from './judge.tsx'
import type { JudgedQuery } from './judgments.ts'
import { Rail } from './rail.tsx'
import { type Shape, shapes } from './shapes.ts'
import { type Before, countsOf, ranksOfSearch, ranksOfWords, storyOf } from './story.ts'
import { timelineOf } from './timeline.ts'
import { TroubleBar, troubleOf } from './troubles.tsx'
import type { SearchView as View } from './view.ts'
import { milliseconds } from './words.ts'

/** What is known of the documents, and what takes a judgment of the reader. */
export interface Judged {
  /** The docids that the answer needs. */
  readonly needed: readonly string[]
  /** How the page calls them. */
  readonly word: 'needed' | 'relevant'
  readonly grades: JudgedQuery['grades']
  readonly onJudge?: OnJudge | undefined
}

interface SearchViewProps {
  readonly view: View
  /** The name of what searched. Default: Querent. */
  readonly name?: string | undefined
  /** The search to compare with. Default: the first request of this one. */
  readonly other?: { readonly name: string; readonly view: View } | undefined
  /** Begins the ids of the hits. */
  readonly at: string
  readonly judged: Judged
  readonly shape: Shape
  readonly onShape?: (shape: Shape) => void
  readonly onRetry?: (() => void) | undefined
  /** A command that sends this search. */
  readonly curl?: string
}

export const yourWords = 'Your words alone'

export function SearchView({
  view,
  name,
  other,
  at,
  judged,
  shape,
  onShape,
  onRetry,
  curl,
}: SearchViewProps) {
  /** The mark of the search whose hits are lit. */
  const [hovered, setHovered] = useState<string>()
  const [pinned, setPinned] = useState<string>()
  const story = useMemo(() => storyOf(view, other?.view), [view, other?.view])
  const before: Before = useMemo(
    () =>
      other === undefined || other.view.phase === 'searching'
        ? { name: yourWords, ranks: ranksOfWords(view) }
        : { name: other.name, ranks: ranksOfSearch(other.view, view) },
    [view, other],
  )
  const counts = countsOf(story.hits, before, judged.needed)
  const { phase, trace } = view
  const choices = Object.entries(shapes).filter(([key]) => key !== 'judge' || judged.onJudge !== undefined)
  const light = { lit: hovered ?? pinned, onLight: setHovered }
  return (
    <article class="search" aria-busy={phase === 'searching'}>
      <TroubleBar trouble={troubleOf(view)} onRetry={onRetry} />
      <Headline {...{ view, story, before, counts, name, needed: judged.needed, word: judged.word }} />
      <Answer {...{ view, at, titleOf: story.titleOf }} />
      {story.hits.length > 0 && (
        <>
          <div class="shapes">
            {onShape !== undefined && (
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
            )}
            <p class="soft">{trace !== undefined && tookOf(view)}</p>
          </div>
          <div class={`parts as-${shape}`}>
            <BeforeAfter {...{ view, story, before, at, judged, shape, name, ...light }} />
            <Rail {...{ view, story, pinned, onPin: setPinned, curl, ...light }} />
          </div>
        </>
      )}
    </article>
  )
}

function tookOf({ trace }: View): string {
  const total = milliseconds(trace!.times.total)
  const [own, ...more] = timelineOf(trace!)
  return own !== undefined && more.length > 1
    ? `${total}, of which your words alone took ${milliseconds(own.ms)}`
    : total
}
