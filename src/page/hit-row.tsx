/** A result: what moved it, who found it, its best line, and, unfolded, all of it and why it is there. */
import { useState } from 'preact/hooks'
import type { AnsweredHit } from '../../adapters/apps/http/answer.ts'
import { searchWords } from '../text/search-origin.ts'
import type { Shape } from './address.ts'
import { Button } from './button.tsx'
import { Judge } from './judging.tsx'
import { type Light, Mark, Tag } from './marks.tsx'
import { passageOf, piecesOf, termsOf } from './passage.ts'
import type { Searched, Story } from './story.ts'
import { percent, score } from './words.ts'

interface HitRowProps extends Pick<Light, 'onLight'> {
  readonly hit: AnsweredHit
  readonly story: Story
  readonly shape: Shape
  readonly light: string
}

export const idOf = (docid: string): string => `hit-${encodeURIComponent(docid)}`

export function HitRow({ hit, story, shape, light, onLight }: HitRowProps) {
  const { rank, docid, document, provenance = [] } = hit
  const { view, before, searched } = story
  const [isOpen, setOpen] = useState(false)
  const title = story.titleOf(docid)
  const finders = story.foundBy(docid)
  return (
    <li class={`hit ${light}`} id={idOf(docid)} data-docid={docid}>
      <span class="rank">{rank}</span>
      <div>
        <div class="head">
          <h4>
            {document === undefined && provenance.length === 0 ? (
              title
            ) : (
              <Button class="title" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
                {title}
              </Button>
            )}
          </h4>
          <Tag {...{ story, docid }} />
          {view.phase === 'done' && <Moved rank={rank} from={before.ranks.get(docid)} />}
          {searched.length > 1 && <span class="marks">{finders.map((one) => finder(one, onLight))}</span>}
        </div>
        {document && (
          <Passage
            text={document.text}
            terms={termsOf([view.text, ...finders.map(({ subQuery }) => subQuery.text)])}
            isWhole={isOpen || shape === 'judge'}
          />
        )}
        {shape === 'judge' && <Judge {...{ docid, story }} />}
        {isOpen && <Why {...{ hit, story }} />}
      </div>
    </li>
  )
}

/** Where it stood before. Ranks that are in sight need no number. */
function Moved({ rank, from }: { readonly rank: number; readonly from: number | undefined }) {
  if (from === undefined) return <span class="moved">new</span>
  const [direction, arrow] = from > rank ? ['up', '▲'] : ['down', '▼']
  const words = `${arrow} ${Math.abs(from - rank)}${from >= 10 ? ` from ${from}` : ''}`
  const label = from === rank ? 'not moved' : `${direction} from rank ${from}`
  return (
    <span class={`moved ${direction}`} role="img" aria-label={label}>
      {from === rank ? '=' : words}
    </span>
  )
}

const finder = ({ label, subQuery }: Searched, onLight: Light['onLight']) => (
  <span
    key={label.mark}
    role="img"
    aria-label={`found by ${searchWords(subQuery)}`}
    title={searchWords(subQuery)}
    onMouseEnter={() => onLight(label.mark)}
    onMouseLeave={() => onLight(undefined)}
  >
    <Mark label={label} />
  </span>
)

function Passage({ text, terms, isWhole }: { text: string; terms: ReadonlySet<string>; isWhole: boolean }) {
  const pieces = piecesOf(isWhole ? text : passageOf(text, terms), terms)
  return (
    <p class={isWhole ? 'passage whole' : 'passage'}>
      {pieces.map((piece, at) => (piece.isMarked ? <mark key={at}>{piece.text}</mark> : piece.text))}
    </p>
  )
}

/** The ranks and scores that brought a hit to its place. */
function Why({ hit, story }: Pick<HitRowProps, 'hit' | 'story'>) {
  const { docid, fused, confidence, provenance = [] } = hit
  const scored = story.view.reranked?.kept === false ? "The re-ranker's score" : 'The score'
  return (
    <div class="why">
      <p class="soft">
        <span class="docid">{docid}</span>{' '}
        {fused && `Rank ${fused.rank} with the fused score ${score(fused.score)}. `}
        {scored} is {score(hit.score)}.
        {confidence !== undefined &&
          ` Seen by itself it is relevant with ${percent(confidence)}; the order comes from comparing it with the others.`}
      </p>
      {provenance.length > 0 && (
        <table>
          <thead>
            <tr>
              {['Search', 'Retriever', 'Rank', 'Score', 'Share'].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {provenance.map(({ retriever, subQuery, rank, score: own, share }) => (
              <tr key={`${retriever} ${subQuery.round} ${subQuery.text}`}>
                <th scope="row">
                  <Mark label={story.labelOf(subQuery)} /> {searchWords(subQuery)}
                </th>
                {[retriever, rank, score(own), share === undefined ? '–' : percent(share)].map((cell, at) => (
                  <td key={at}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
