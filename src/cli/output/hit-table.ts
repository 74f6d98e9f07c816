/** The hits of an explanation, one line each, with the lists that found them. */
import { answeredLists } from '../../explain.ts'
import type { Contribution, Hit, RankedList, Trace } from '../../types.ts'
import { fuseStep, isReranked, scoreScale } from './decision.ts'
import { formatTable } from './table-format.ts'
import { clip, count } from './words.ts'

/** Limits: sub-queries with their own line, and lists named per hit. */
const [maxTexts, maxLists] = [8, 3]
const [docidWidth, titleWidth, otherWidth, textWidth] = [24, 32, 20, 90]

/** The searched texts: the original query (Q), the fused sub-queries, and in one line the texts for re-ranking alone. */
export function searchedTexts(trace: Trace): string[] {
  const labels = labelsOf(trace)
  const filtered = fuseStep(trace)?.lists.some(({ subQuery }) => subQuery.where !== undefined)
  const texts = [
    ...Array.from(labels, ([text, label]) => `  ${label}  ${clip(text, textWidth)}`),
    ...(filtered ? ['  F  the query under its filters'] : []),
  ]
  const others = new Set(
    answeredLists(trace)
      .map(({ subQuery }) => subQuery.text)
      .filter((text) => !labels.has(text)),
  )
  return [
    `Searched with ${[...new Set(answeredLists(trace).map(({ retriever }) => retriever))].join(' and ')}:`,
    ...texts.slice(0, 1 + maxTexts),
    ...(texts.length > 1 + maxTexts ? [`  …  ${texts.length - 1 - maxTexts} more`] : []),
    ...(others.size > 0
      ? [
          `  +  ${count(others.size, 'text')} for re-ranking alone: ${clip([...others].join('; '), textWidth - 30)}`,
        ]
      : []),
  ]
}

/** @param titles of the hits, in their order */
export function hitTable(trace: Trace, titles: readonly string[]): string[] {
  const { hits } = trace.outcome
  if (hits.length === 0) return []
  const reranked = isReranked(trace)
  const lists = answeredLists(trace)
  const labels = labelsOf(trace)
  const retrievers = new Set(lists.map(({ retriever }) => retriever))
  const place = ({
    retriever,
    subQuery,
    rank,
  }: Pick<Contribution, 'retriever' | 'subQuery' | 'rank'>): string => {
    const label = labels.get(subQuery.text) ?? `"${clip(subQuery.text, otherWidth)}"`
    return `${subQuery.where === undefined ? label : 'F'}${retrievers.size > 1 ? ` ${retriever}` : ''}#${rank}`
  }
  const rows = hits.map((hit, index) => [
    { shown: `${hit.rank}.`, exact: hit.rank },
    { shown: hit.score.toFixed(4), exact: hit.score },
    ...(reranked ? [{ shown: String(hit.fused?.rank ?? '–'), exact: hit.fused?.rank ?? Number.NaN }] : []),
    clip(hit.docid, docidWidth),
    clip(titles[index] ?? '', titleWidth),
    shortened(foundBy(hit, lists).map(place)),
  ])
  const head = ['', 'score', ...(reranked ? ['fused'] : []), 'docid', 'title', 'found by']
  return [
    ...formatTable('text', head, rows),
    `score: ${scoreScale(trace)}; higher is better.${reranked ? ' fused: the rank before re-ranking.' : ''} Q#3: rank 3 in the list of Q.`,
  ]
}

/** The fused lists that have a hit, the strongest first. If no fused list has it, the list with its best rank. */
function foundBy(
  { docid, provenance = [] }: Hit,
  lists: readonly RankedList[],
): readonly Pick<Contribution, 'retriever' | 'subQuery' | 'rank'>[] {
  if (provenance.length > 0)
    return provenance.toSorted((a, b) => (b.share ?? 0) - (a.share ?? 0) || a.rank - b.rank)
  return lists
    .flatMap(({ retriever, subQuery, hits }) => {
      const hit = hits.find((one) => one.docid === docid)
      return hit === undefined ? [] : [{ retriever, subQuery, rank: hit.rank }]
    })
    .sort((a, b) => a.rank - b.rank)
    .slice(0, 1)
}

const shortened = (places: readonly string[]): string =>
  places.length > maxLists ? `${places.slice(0, maxLists).join('  ')}  …` : places.join('  ')

/** Text → its label in the table. */
function labelsOf({ query, kind, subQueries }: Trace): ReadonlyMap<string, string> {
  const texts =
    kind === 'as-is' ? [] : subQueries.map(({ text }) => text).filter((text) => text !== query.text)
  return new Map([[query.text, 'Q'], ...texts.map((text, index) => [text, String(index + 1)] as const)])
}
