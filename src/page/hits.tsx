/** The fused list: each hit with its shares, and how far re-ranking moved it. */
import type { AnsweredHit } from '../../adapters/apps/http/answer.ts'
import { Judge, type OnJudge } from './judge.tsx'
import type { JudgedQuery } from './judgments.ts'
import { type LabelOf, labelsOf } from './labels.ts'
import { ShareBar, ShareTable } from './shares.tsx'
import type { SearchView } from './view.ts'
import { count, percent, score } from './words.ts'

export interface HitsProps {
  readonly view: SearchView
  /** Begins the ids of the hits. */
  readonly at: string
  /** The ranks in the list beside this one, and its name. */
  readonly beside?: { readonly name: string; readonly ranks: ReadonlyMap<string, number> } | undefined
  /** What is known of the documents, and what takes a judgment of the reader. */
  readonly judged?: { readonly grades: JudgedQuery['grades']; readonly onJudge?: OnJudge } | undefined
}

export function Hits({ view, at, beside, judged }: HitsProps) {
  const { hits, rounds, phase } = view
  const labelOf = labelsOf(rounds)
  const retrievers = [...new Set(rounds.flatMap(({ legs }) => legs.map(({ retriever }) => retriever)))]
  const isReranked = hits.some(({ fused }) => fused !== undefined)
  return (
    <section class="hits">
      <h3>
        {phase === 'searching' ? 'Hits' : count(hits.length, 'hit')}
        <span class="soft">{orderOf(view, isReranked)}</span>
      </h3>
      {phase === 'searching' && hits.length === 0 && <Placeholders />}
      {phase === 'done' && hits.length === 0 && <p class="soft">Nothing was found.</p>}
      <ol>
        {hits.map((hit) => (
          <HitCard key={hit.docid} {...{ hit, at, labelOf, retrievers, isReranked, beside, judged }} />
        ))}
      </ol>
    </section>
  )
}

function orderOf({ fused, reranked }: SearchView, isReranked: boolean): string {
  if (reranked?.kept) return 'in fused order: re-ranking failed'
  if (isReranked) return `re-ranked, from ${count(reranked?.pool ?? 0, 'document')} that were read`
  return fused === undefined ? '' : `fused with ${fused.method}`
}

const Placeholders = () => (
  <div class="placeholders" aria-hidden="true">
    <i />
    <i />
    <i />
  </div>
)

interface HitProps extends Pick<HitsProps, 'at' | 'beside' | 'judged'> {
  readonly hit: AnsweredHit
  readonly labelOf: LabelOf
  readonly retrievers: readonly string[]
  readonly isReranked: boolean
}

function HitCard({ hit, at, labelOf, retrievers, isReranked, beside, judged }: HitProps) {
  const { rank, docid, document, provenance = [], confidence, fused } = hit
  return (
    <li class="hit" id={`${at}-${encodeURIComponent(docid)}`}>
      <div class="place">
        <span class="rank">{rank}</span>
        {isReranked && <Moved rank={rank} before={fused?.rank} />}
      </div>
      <div class="body">
        <h4>
          {document?.title ?? docid}
          {document?.title !== undefined && <span class="docid">{docid}</span>}
        </h4>
        {document !== undefined && <p class="snippet">{document.text}</p>}
        <ShareBar {...{ provenance, labelOf, retrievers }} />
        <div class="facts">
          {confidence !== undefined && (
            <span title="The probability that it is relevant, by the re-ranker">
              {percent(confidence)} sure
            </span>
          )}
          {beside !== undefined && <Beside {...{ beside, docid, rank }} />}
          {judged !== undefined && <Judge {...{ docid, title: document?.title ?? docid, ...judged }} />}
          {provenance.length > 0 && (
            <details>
              <summary>
                Why<span class="hidden"> {document?.title ?? docid} is here</span>
              </summary>
              <Scores hit={hit} />
              <ShareTable {...{ provenance, labelOf }} />
            </details>
          )}
        </div>
      </div>
    </li>
  )
}

function Moved({ rank, before }: { readonly rank: number; readonly before: number | undefined }) {
  if (before === undefined) return <span class="moved up">new</span>
  const by = before - rank
  if (by === 0)
    return (
      <span class="moved soft" role="img" aria-label="not moved">
        =
      </span>
    )
  const [direction, arrow] = by > 0 ? ['up', '▲'] : ['down', '▼']
  return (
    <span
      class={`moved ${direction}`}
      role="img"
      aria-label={`moved ${direction} from rank ${before}`}
      title={`rank ${before} before re-ranking`}
    >
      {arrow} {Math.abs(by)}
    </span>
  )
}

function Beside({
  beside: { name, ranks },
  docid,
  rank,
}: {
  readonly beside: NonNullable<HitsProps['beside']>
  readonly docid: string
  readonly rank: number
}) {
  const other = ranks.get(docid)
  if (other === undefined) return <span class="only">only in this list</span>
  return <span>{other === rank ? `same rank with ${name}` : `rank ${other} with ${name}`}</span>
}

function Scores({ hit: { score: scored, fused } }: { readonly hit: AnsweredHit }) {
  return (
    <p class="soft">
      {fused === undefined
        ? `Fused score ${score(scored)}`
        : `Rank ${fused.rank} with the fused score ${score(fused.score)}, then re-ranked with the score ${score(scored)}`}
    </p>
  )
}
