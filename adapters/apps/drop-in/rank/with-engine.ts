/**
 * Ranks with the engine, not instead of it. A re-ranker reads words alone. Where a search ranks by more than words, the words are
 * ranked better inside the engine's order. Where the application gives that order a weight, both orders are blended.
 */

import { mean } from '../../../../src/learn/statistics.ts'
import { orderOf } from '../../../../src/rank.ts'
import type { DocumentOf, Reranker } from '../../../../src/reranker.ts'
import type { Hit, Query, RankedList } from '../../../../src/types.ts'
import type { Way } from '../parse/clauses.ts'
import type { JsonObject } from '../parse/json.ts'
import type { Ranking } from '../parse/ranking.ts'
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

export function withEngine(
  reranker: Reranker,
  { ranking, weight = 0, wordScores }: EngineSettings,
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

/** A document's place in a blend. */
export interface Share {
  /** How far above the mean of its order a document is, in standard deviations and times the weight of the order. */
  readonly engine: number
  readonly reranker: number
}

/** Scores further below the best one do not differ: logarithms of probabilities have no lower end. */
const range = 15

/**
 * Blends two orders of the same documents by their scores, which may have any scale.
 *
 * @param engine the engine's scores of the documents, 0 or higher
 * @param reranker the re-ranker's scores of the same documents
 * @param weight of the engine's order, from 0 to 1
 */
export function blend(engine: readonly number[], reranker: readonly number[], weight: number): Share[] {
  // What a score means is its ratio to others: boosts multiply it.
  const ofEngine = standardized(engine.map((score) => Math.log(Math.max(score, Number.MIN_VALUE))))
  const ofReranker = standardized(reranker)
  return ofEngine.map((score, place) => ({
    engine: weight * score,
    reranker: (1 - weight) * ofReranker[place]!,
  }))
}

function standardized(scores: readonly number[]): number[] {
  const lowest = scores.reduce((most, score) => Math.max(most, score), -Infinity) - range
  const clipped = scores.map((score) => Math.max(score, lowest))
  const middle = mean(clipped)
  const deviation = Math.sqrt(mean(clipped.map((score) => (score - middle) ** 2)))
  return clipped.map((score) => (deviation === 0 ? 0 : (score - middle) / deviation))
}

/** A document's score from the engine, as a whole and of the words alone. */
export interface Parts {
  readonly whole: number
  readonly words: number
}

/** The hits that a person sees. They keep as much of the factors as the engine's. */
const first = 5

/** Weights of the factors that are tried. Documents that were read because of a factor would make it weigh too much at 1. */
const weights = Array.from({ length: 31 }, (_, step) => step / 20)

/**
 * Ranks words better inside an order that more than words make. The scores of the words are dealt out anew, the highest to the
 * document that fits the words best. What a document's other factors added stays its own, and weighs so much that the first hits
 * have as much of it as the engine's first hits: a caller who ranks by popularity gets hits as popular as before.
 *
 * @param parts of the documents, those that fit the words best first
 * @param ways how the factors enter the scores
 * @returns places in `parts`, best first
 */
export function besideFactors(parts: readonly Parts[], ways: readonly Way[]): number[] {
  const isProduct = ways.includes('multiplies')
  const share = ways.includes('averages') ? 0.5 : 1
  const scaled = (score: number): number => (isProduct ? Math.log(Math.max(score, leastScore)) : score)
  const dealt = parts.map(({ words }) => words).sort((one, other) => other - one)
  const factors = parts.map(({ whole, words }) => scaled(whole) - share * scaled(words))
  const atEngine = orderOf(parts.map(({ whole }) => whole))
  const kept = (order: readonly number[]): number =>
    mean(order.slice(0, first).map((place) => factors[place]!))
  const wanted = kept(atEngine)
  let best = atEngine
  let least = Infinity
  for (const weight of weights) {
    const order = orderOf(factors.map((factor, place) => share * scaled(dealt[place]!) + weight * factor))
    const distance = Math.abs(kept(order) - wanted)
    if (distance < least) [best, least] = [order, distance]
  }
  return best
}

/** What engines give to documents that they only just found. Logarithms need a score above 0. */
const leastScore = 1e-6
