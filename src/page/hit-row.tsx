/** A result: what moved it, who found it, its best line, and, unfolded, all of it and why it is there. */
import { useState } from 'preact/hooks'
import type { AnsweredHit } from '../../adapters/apps/http/answer.ts'
import { searchWords } from '../text/search-origin.ts'
import type { Contribution } from '../types.ts'
import type { BeforeAfterProps, Light } from './before-after.tsx'
import { Judge } from './judge.tsx'
import { Mark } from './mark.tsx'
import { passageOf, piecesOf, termsOf } from './passage.ts'
import type { Searched } from './story.ts'
import { percent, score } from './words.ts'

interface HitRowProps extends Omit<BeforeAfterProps, 'name' | 'lit'> {
  readonly hit: AnsweredHit
  readonly light: string
}

export function HitRow({ hit, view, story, before, at, judged, shape, light, onLight }: HitRowProps) {
  const { rank, docid, document, provenance = [] } = hit
  const [isOpen, setOpen] = useState(false)
  const title = story.titleOf(docid)
  const finders = story.foundBy(docid)
  const isWhole = isOpen || shape === 'judge'
  const canOpen = document !== undefined || provenance.length > 0
  return (
    <li class={`hit ${light}`} id={`${at}-${encodeURIComponent(docid)}`} data-docid={docid}>
      <span class="rank">{rank}</span>
      <div>
        <div class="head">
          <h4>
            {canOpen ? (
              <button type="button" class="title" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
                {title}
              </button>
            ) : (
              title
            )}
          </h4>
          {judged.needed.includes(docid) && <span class="tag">{judged.word}</span>}
          {view.phase === 'done' && <Moved rank={rank} from={before.ranks.get(docid)} />}
          {story.searched.length > 1 && <Marks finders={finders} onLight={onLight} />}
        </div>
        {document !== undefined && (
          <Passage
            text={document.text}
            terms={[view.text, ...finders.map(({ subQuery }) => subQuery.text)]}
            isWhole={isWhole}
          />
        )}
        {shape === 'judge' && <Judge {...{ docid, title, ...judged }} />}
        {isOpen && <Why {...{ hit, view, story }} />}
      </div>
    </li>
  )
}

/** Where it stood before. Ranks that are in sight need no number. */
function Moved({ rank, from }: { readonly rank: number; readonly from: number | undefined }) {
  if (from === undefined) return <span class="moved">new</span>
  const by = from - rank
  if (by === 0)
    return (
      <span class="moved" role="img" aria-label="not moved">
        =
      </span>
    )
  const [direction, arrow] = by > 0 ? ['up', '▲'] : ['down', '▼']
  return (
    <span class={`moved ${direction}`} role="img" aria-label={`${direction} from rank ${from}`}>
      {arrow} {Math.abs(by)}
      {from >= 10 && ` from ${from}`}
    </span>
  )
}

function Marks({ finders, onLight }: Pick<Light, 'onLight'> & { readonly finders: readonly Searched[] }) {
  if (finders.length === 0) return null
  const words = finders.map(({ subQuery }) => searchWords(subQuery))
  return (
    <span class="marks">
      {finders.map(({ label }, place) => (
        <span
          key={label.mark}
          role="img"
          aria-label={`found by ${words[place]}`}
          title={words[place]}
          onMouseEnter={() => onLight(label.mark)}
          onMouseLeave={() => onLight(undefined)}
        >
          <Mark label={label} />
        </span>
      ))}
    </span>
  )
}

interface PassageProps {
  readonly text: string
  /** Texts whose words are marked. */
  readonly terms: readonly string[]
  readonly isWhole: boolean
}

function Passage({ text, terms: given, isWhole }: PassageProps) {
  const terms = termsOf(given)
  return (
    <p class={isWhole ? 'passage whole' : 'passage'}>
      {piecesOf(isWhole ? text : passageOf(text, terms), terms).map(({ text: piece, isMarked }, at) =>
        isMarked ? <mark key={at}>{piece}</mark> : piece,
      )}
    </p>
  )
}

/** The ranks and scores that brought a hit to its place. */
function Why({ hit, view, story }: Pick<HitRowProps, 'hit' | 'view' | 'story'>) {
  const { docid, score: own, fused, confidence, provenance = [] } = hit
  const isReranked = view.reranked?.kept === false
  const labels = new Map(
    [...story.searched, ...story.extras].map(({ subQuery, label }) => [keyOf(subQuery), label]),
  )
  return (
    <div class="why">
      <p class="soft">
        <span class="docid">{docid}</span>{' '}
        {fused !== undefined && `Rank ${fused.rank} with the fused score ${score(fused.score)}. `}
        {isReranked ? `The re-ranker's score is ${score(own)}` : `The score is ${score(own)}`}
        {confidence !== undefined &&
          `; with ${percent(confidence)} it is relevant, seen by itself: the order compares it with the others`}
        .
      </p>
      {provenance.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Search</th>
              <th scope="col">Retriever</th>
              <th scope="col">Rank</th>
              <th scope="col">Score</th>
              <th scope="col">Share</th>
            </tr>
          </thead>
          <tbody>
            {provenance.map(({ retriever, subQuery, rank, score: scored, share }) => (
              <tr key={`${retriever} ${keyOf(subQuery)}`}>
                <th scope="row">
                  <Mark label={labels.get(keyOf(subQuery)) ?? { mark: '+', color: 0 }} />{' '}
                  {searchWords(subQuery)}
                </th>
                <td>{retriever}</td>
                <td>{rank}</td>
                <td>{score(scored)}</td>
                <td>{share === undefined ? '–' : percent(share)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}

const keyOf = ({ text, round }: Contribution['subQuery']): string => (round === 0 ? '' : text)
