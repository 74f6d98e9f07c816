/** One search: what became of it, in a sentence and as the list before and after. */
import { useMemo, useState } from 'preact/hooks'
import { type Shape, shapes } from './address.ts'
import { BeforeAfter } from './before-after.tsx'
import { Button } from './button.tsx'
import { Headline } from './headline.tsx'
import { idOf } from './hit-row.tsx'
import { Rail } from './rail.tsx'
import { type KnownDocuments, type Other, type Story, storyOf } from './story.ts'
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
  /** Default: what its reader has chosen here. */
  readonly shape?: Shape
  readonly onShape?: (shape: Shape) => void
  readonly onRetry?: () => void
  /** A command that sends this search. */
  readonly curl?: string
}

export function SearchView({ view, name, other, known, onRetry, curl, ...props }: SearchViewProps) {
  const [chosen, choose] = useState<Shape>('after')
  const { shape = chosen, onShape = choose } = props
  /** The mark of the search whose hits are lit. */
  const [hovered, setHovered] = useState<string>()
  const [pinned, setPinned] = useState<string>()
  const story = useMemo(() => storyOf(view, known, name, other), [view, known, name, other])
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
              {(Object.keys(shapes) as Shape[])
                .filter((one) => one !== 'judge' || known.onJudge !== undefined)
                .map((one) => (
                  <Button key={one} aria-pressed={shape === one} onClick={() => onShape(one)}>
                    {shapes[one]}
                  </Button>
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
  if (own === undefined || more.length < 2) return total
  return `${total}, of which your words alone took ${milliseconds(own.ms)}`
}

/** The answer, while a model writes it and afterwards, with the documents that it was read from. */
function Answer({ story: { view, hits, titleOf } }: { readonly story: Story }) {
  const { answer, citations = [], phase, unanswered } = view
  if (answer === undefined && !unanswered) return null
  const shown = new Set(hits.map(({ docid }) => docid))
  const isWriting = phase === 'searching'
  return (
    <section class="answer">
      {answer === undefined ? (
        <p class="soft">No answer in the documents.</p>
      ) : (
        <>
          <h3>Answer</h3>
          <p class="text" aria-busy={isWriting}>
            {answer}
            {isWriting && <span class="caret" aria-hidden="true" />}
          </p>
        </>
      )}
      {citations.length > 0 && (
        <p class="citations">
          <span class="soft">From</span>
          {citations.map((docid) => (
            <a key={docid} {...(shown.has(docid) && { href: `#${idOf(docid)}` })}>
              {titleOf(docid)}
            </a>
          ))}
        </p>
      )}
    </section>
  )
}
