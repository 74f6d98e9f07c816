/**
 * Ranks with the engine, not instead of it. A re-ranker reads words alone. Where the caller's search weighs words in its own way,
 * by boosts or phrases, the engine's order and the re-ranker's are blended. Where it ranks by more than words, the words are ranked
 * better inside the engine's order.
 */
import { orderOf } from '../../../../src/rank.ts'
import type { DocumentOf, Reranker } from '../../../../src/reranker.ts'
import type { Hit, Query, RankedList } from '../../../../src/types.ts'
import type { JsonObject } from '../parse/json.ts'
import type { Ranking } from '../parse/ranking.ts'
import { besideFactors } from './beside-factors.ts'
import { blend } from './blend.ts'
import { asFound } from './spelling.ts'

/** The engine's scores of hits by the words alone: docid → score. */
export type WordScores = (hits: readonly Hit[]) => Promise<ReadonlyMap<string, number>>

export interface EngineSettings {
  readonly ranking: Ranking
  /** The application's `engineWeight`. */
  readonly weight: number | undefined
  /** Called where more than words rank. */
  readonly wordScores: WordScores
}

export interface WithEngine {
  readonly reranker: Reranker
  /** What each order said about a hit. Undefined if the re-ranker's is the only one. */
  about(docid: string): JsonObject | undefined
}

/** The weight of the engine's order where it weighs words, chosen on judged searches. `bench/README.md` has what others gave. */
const learnedWeight = 0.1

export function withEngine(
  reranker: Reranker,
  { ranking, weight = ranking.isWeighted ? learnedWeight : 0, wordScores }: EngineSettings,
): WithEngine {
  const { isFuzzy, factors } = ranking
  const said = new Map<string, JsonObject>()
  if (weight === 0 && !isFuzzy && factors.length === 0) return { reranker, about: () => undefined }

  async function rerank(
    ...[query, lists, fused, documentOf, tools]: Parameters<Reranker['rerank']>
  ): Promise<readonly Hit[]> {
    const asked = isFuzzy ? asEngineFound(query, lists, fused, documentOf) : { query, lists }
    const [moved, words] = await Promise.all([
      reranker.rerank(asked.query, asked.lists, fused, documentOf, tools),
      factors.length === 0 ? undefined : wordScores(fused),
    ])
    const whole = scoresIn(lists, query)
    const blended = blendedWith(moved, words ?? whole)
    if (words === undefined) return blended
    const parts = blended.map(({ docid }) => ({ whole: whole.get(docid) ?? 0, words: words.get(docid) ?? 0 }))
    for (const [place, { docid }] of blended.entries())
      said.set(docid, { ...said.get(docid), score: parts[place] })
    const order = besideFactors(
      parts,
      factors.map(({ way }) => way),
    )
    const wholes = parts.map(({ whole }) => whole).sort((one, other) => other - one)
    return order.map((at, place) => ({ ...blended[at]!, score: wholes[place]!, rank: place + 1 }))
  }

  /** The hits by both orders, with the re-ranker's scores: the highest one for the first, and so on. */
  function blendedWith(moved: readonly Hit[], engine: ReadonlyMap<string, number>): readonly Hit[] {
    const lowest = [...engine.values()].reduce((least, score) => Math.min(least, score), Infinity)
    const shares = blend(
      moved.map(({ docid }) => engine.get(docid) ?? lowest),
      moved.map(({ score }) => score),
      weight,
    )
    for (const [place, { docid }] of moved.entries()) said.set(docid, { shares: shares[place]! })
    const order = orderOf(shares.map(({ engine, reranker }) => engine + reranker))
    return order.map((at, place) => ({ ...moved[at]!, score: moved[place]!.score, rank: place + 1 }))
  }

  return { reranker: { ...reranker, rerank }, about: (docid) => said.get(docid) }
}

/** The engine's scores of the hits that it found for the query itself. */
const scoresIn = (lists: readonly RankedList[], { text }: Query): ReadonlyMap<string, number> =>
  new Map(
    lists
      .filter(({ subQuery }) => subQuery.text === text)
      .flatMap(({ hits }) => hits.map(({ docid, score }) => [docid, score] as const)),
  )

/** The query with its misspelled words as the engine found them, and the lists as those of that query. */
function asEngineFound(
  query: Query,
  lists: readonly RankedList[],
  fused: readonly Hit[],
  documentOf: DocumentOf,
): { readonly query: Query; readonly lists: readonly RankedList[] } {
  const documents = fused.flatMap(({ docid }) => documentOf(docid) ?? [])
  const text = asFound(query.text, documents)
  if (text === query.text) return { query, lists }
  const asked = ({ subQuery, ...list }: RankedList): RankedList => ({
    ...list,
    subQuery: subQuery.text === query.text ? { ...subQuery, text } : subQuery,
  })
  return { query: { ...query, text }, lists: lists.map(asked) }
}
