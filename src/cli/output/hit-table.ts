/** The hits of an explanation, one line each, with the lists that found them. */
import { answeredLists } from '../../explain.ts'
import { originOf, originWords, withoutRepeats } from '../../text/search-origin.ts'
import type { Contribution, Hit, RankedList, Trace } from '../../types.ts'
import { fuseStep, scoreScale } from './decision.ts'
import { formatTable } from './table-format.ts'
import { clip, movement } from './words.ts'

/** Limits: sub-queries with their own line, and lists named per hit. */
const [maxTexts, maxLists] = [8, 3]
const [titleWidth, otherWidth, textWidth] = [36, 20, 60]

/**
 * What was searched: the user's words (0), the searches that vote with where they come from, and in one line those for re-ranking.
 *
 * @param sources titles of the documents that searches were made from
 */
export function searchedTexts(trace: Trace, sources: ReadonlyMap<string, string> = new Map()): string[] {
  const labels = labelsOf(trace)
  const filtered = fuseStep(trace)?.lists.some(({ subQuery }) => subQuery.where !== undefined)
  const searches = [{ text: trace.query.text, round: 0 }, ...trace.subQueries].filter(
    ({ text }, place, all) => all.findIndex((one) => one.text === text) === place && labels.has(text),
  )
  const rows = searches.map((subQuery) => {
    const source = subQuery.from === undefined ? '' : (sources.get(subQuery.from) ?? subQuery.from)
    const origin = originWords(originOf(subQuery, trace.query), source)
    return [`  ${labels.get(subQuery.text)}`, clip(withoutRepeats(subQuery.text), textWidth), origin]
  })
  const texts = [
    ...formatTable('text', [], rows),
    ...(filtered ? ['  F  your words under their filters'] : []),
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
      ? [`  +  ${others.size} only for re-ranking: ${clip([...others].join('; '), textWidth)}`]
      : []),
  ]
}

/**
 * @param titles of the hits, in their order
 * @param alone the ranks that the user's words alone would have given
 */
export function hitTable(
  trace: Trace,
  titles: readonly string[],
  alone: ReadonlyMap<string, number>,
): string[] {
  const { hits } = trace.outcome
  if (hits.length === 0) return []
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
    clip(titles[index] || hit.docid, titleWidth),
    movement(hit.rank, alone.get(hit.docid)),
    shortened(foundBy(hit, lists).map(place)),
    { shown: hit.score.toFixed(4), exact: hit.score },
  ])
  return [
    ...formatTable('text', ['', 'hit', 'moved', 'found by', 'score'], rows),
    `moved: against your words alone. 0#3: rank 3 in search 0, your words. score: ${scoreScale(trace)}; higher is better.`,
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
  return new Map([[query.text, '0'], ...texts.map((text, index) => [text, String(index + 1)] as const)])
}
