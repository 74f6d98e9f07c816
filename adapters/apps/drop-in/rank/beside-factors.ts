/**
 * Ranks words better inside an order that more than words make. The scores of the words are dealt out anew, the highest to the
 * document that fits the words best. What a document's other factors added stays its own, and weighs so much that the first hits
 * have as much of it as the engine's first hits: a caller who ranks by popularity gets hits as popular as before.
 */

import { mean } from '../../../../src/learn/statistics.ts'
import { orderOf } from '../../../../src/rank.ts'
import type { Way } from '../parse/ranking.ts'

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
