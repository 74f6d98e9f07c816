/** A result: what moved it, who found it, its best line, and, unfolded, all of it and why it is there. */
import { useState } from 'preact/hooks'
import type { AnsweredHit } from '../../adapters/apps/http/answer.ts'
import { searchWords } from '../text/search-origin.ts'
import type { Shape } from './address.ts'
import type { Light } from './before-after.tsx'
import { Judge } from './judge.tsx'
import { Mark, Tag } from './marks.tsx'
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
  const { view, before } = story
  const [isOpen, setOpen] = useState(false)
  const title = story.titleOf(docid)
  const finders = story.foundBy(docid)
  const canOpen = document !== undefined || provenance.length > 0
  return (
    <li class={`hit ${light}`} id={idOf(docid)} data-docid={docid}>
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
          <Tag {...{ story, docid }} />
          {view.phase === 'done' && <Moved rank={rank} from={before.ranks.get(docid)} />}
          {story.searched.length > 1 && <Marks finders={finders} onLight={onLight} />}
        </div>
        {document !== undefined && (
          <Passage
            text={document.text}
            texts={[view.text, ...finders.map(({ subQuery }) => subQuery.text)]}
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
  const by = from - rank
  const [direction, arrow] = by > 0 ? ['up', '▲'] : ['down', '▼']
  const [label, words] =
    by === 0
      ? ['not moved', '=']
      : [`${direction} from rank ${from}`, `${arrow} ${Math.abs(by)}${from >= 10 ? ` from ${from}` : ''}`]
  return (
    <span class={`moved ${direction}`} role="img" aria-label={label}>
      {words}
    </span>
  )
}

function Marks({ finders, onLight }: Pick<Light, 'onLight'> & { readonly finders: readonly Searched[] }) {
  return (
    <span class="marks">
      {finders.map(({ label, subQuery }) => (
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
      ))}
    </span>
  )
}

/** @param texts whose words are marked */
function Passage({ text, texts, isWhole }: { text: string; texts: readonly string[]; isWhole: boolean }) {
  const terms = termsOf(texts)
  return (
    <p class={isWhole ? 'passage whole' : 'passage'}>
      {piecesOf(isWhole ? text : passageOf(text, terms), terms).map(({ text: piece, isMarked }, at) =>
        isMarked ? <mark key={at}>{piece}</mark> : piece,
      )}
    </p>
  )
}

/** The ranks and scores that brought a hit to its place. */
function Why({ hit, story }: Pick<HitRowProps, 'hit' | 'story'>) {
  const { docid, score: own, fused, confidence, provenance = [] } = hit
  const isReranked = story.view.reranked?.kept === false
  return (
    <div class="why">
      <p class="soft">
        <span class="docid">{docid}</span>{' '}
        {fused !== undefined && `Rank ${fused.rank} with the fused score ${score(fused.score)}. `}
        {isReranked ? "The re-ranker's score" : 'The score'} is {score(own)}.
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
            {provenance.map(({ retriever, subQuery, rank, score: scored, share }) => (
              <tr key={`${retriever} ${subQuery.round} ${subQuery.text}`}>
                <th scope="row">
                  <Mark label={story.labelOf(subQuery)} /> {searchWords(subQuery)}
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
