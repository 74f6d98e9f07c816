/** Which lists brought a hit, and with what share of its fused score: as a bar, and as a table. */
import type { Contribution } from '../types.ts'
import type { LabelOf } from './labels.ts'
import { Mark } from './mark.tsx'
import { percent, score } from './words.ts'

export interface SharesProps {
  readonly provenance: readonly Contribution[]
  readonly labelOf: LabelOf
  /** The names of all retrievers. The texture of a bar is its retriever's. */
  readonly retrievers: readonly string[]
}

/** A part of the bar that is narrower than this has no room for its mark. */
const smallestMarked = 0.08

export function ShareBar({ provenance, labelOf, retrievers }: SharesProps) {
  const parts = provenance.filter(({ share = 0 }) => share > 0)
  if (parts.length === 0) return null
  const words = parts.map(({ retriever, subQuery, share = 0 }) => {
    const { mark } = labelOf(subQuery)
    return `${percent(share)} from ${mark === 'Q' ? 'your words' : `text ${mark}`} in ${retriever}`
  })
  return (
    <div class="shares" role="img" aria-label={words.join(', ')}>
      {parts.map(({ retriever, subQuery, share = 0 }, place) => {
        const { mark, color } = labelOf(subQuery)
        return (
          <span
            key={`${retriever} ${subQuery.round} ${subQuery.text}`}
            class={`color-${color} texture-${retrievers.indexOf(retriever) % 3}`}
            style={{ flexGrow: share }}
            title={`${words[place]}: ${subQuery.text}`}
          >
            {share >= smallestMarked ? mark : ''}
          </span>
        )
      })}
    </div>
  )
}

export function ShareTable({ provenance, labelOf }: Omit<SharesProps, 'retrievers'>) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Searched text</th>
          <th scope="col">Retriever</th>
          <th scope="col">Rank</th>
          <th scope="col">Score</th>
          <th scope="col">Share</th>
        </tr>
      </thead>
      <tbody>
        {provenance.map(({ retriever, subQuery, rank, score: scored, share }) => (
          <tr key={`${retriever} ${subQuery.round} ${subQuery.text}`}>
            <th scope="row">
              <Mark label={labelOf(subQuery)} /> {subQuery.round === 0 ? 'your words' : subQuery.text}
            </th>
            <td>{retriever}</td>
            <td>{rank}</td>
            <td>{score(scored)}</td>
            <td>{share === undefined ? '–' : percent(share)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
