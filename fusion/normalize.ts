/**
 * Score normalisations, by ranx's names. They change scores and never the order of a list, which is its ranking. An empty
 * list stays empty, except for `borda`.
 */
import { QuerentError } from '../src/errors.ts'
import { byCodeUnit } from '../src/rank.ts'
import type { Hit, RankedList } from '../src/types.ts'
import { rangeOf } from './range.ts'
import { sum } from './sum.ts'

/** Scores of one list, in the order of its ranking, to the scores that replace them. Lists are numbered from 0. */
export type Norm = (scores: readonly number[], list: number) => number[]

/** Below this a spread counts as this, so that nothing is divided by zero. ranx's value. */
const least = 1e-9

/** (s − min) / (max − min), from 0 to 1. A list of equal scores, or of one, becomes 0. */
const minMax: Norm = (scores) => {
  const [lowest, highest] = rangeOf(scores)
  return scores.map((score) => (score - lowest) / Math.max(highest - lowest, least))
}

/** (max − s) / (max − min): for scores that are distances, where the best is the smallest. */
const minMaxInverted: Norm = (scores) => {
  const [lowest, highest] = rangeOf(scores)
  return scores.map((score) => (highest - score) / Math.max(highest - lowest, least))
}

/** s / max. */
const byMax: Norm = (scores) => {
  const [, highest] = rangeOf(scores)
  return scores.map((score) => score / Math.max(highest, least))
}

/** (s − min) / Σ (s − min): the scores sum to 1. */
const bySum: Norm = (scores) => {
  const [lowest] = rangeOf(scores)
  const total = sum(scores) - lowest * scores.length
  return scores.map((score) => (score - lowest) / Math.max(total, least))
}

/** (s − μ) / σ with the population's σ: zero mean, unit variance. */
const zmuv: Norm = (scores) => {
  const mean = sum(scores) / scores.length
  const deviation = Math.sqrt(sum(scores.map((score) => (score - mean) ** 2)) / scores.length)
  return scores.map((score) => (score - mean) / Math.max(deviation, least))
}

/** 1 − (r − 1) / n, from 1 down to 1/n. */
const byRank: Norm = (scores) => scores.map((_, place) => 1 - place / scores.length)

const norms = {
  none: (scores) => [...scores],
  'min-max': minMax,
  'min-max-inverted': minMaxInverted,
  max: byMax,
  sum: bySum,
  zmuv,
  rank: byRank,
} as const satisfies Record<string, Norm>

/** What `norm` may be. */
export const normNames: readonly string[] = [...Object.keys(norms), 'borda']

/**
 * Lists with normalised scores.
 *
 * `borda` looks at all lists: with C documents in their union, rank r becomes 1 − (r − 1) / C, and the documents that a list
 * of n does not have are put below its own, by docid, each with 1/2 − (n − 1) / 2C. It is the only one that adds hits.
 *
 * @param lists without duplicates inside a list
 * @param norm a name of `normNames`, or a function of one list's scores
 * @throws QuerentError `bad-config` for another name
 */
export function normalizeLists(lists: readonly RankedList[], norm: string | Norm): RankedList[] {
  if (norm === 'borda') return bordaNorm(lists)
  const normalize = typeof norm === 'function' ? norm : normByName(norm)
  return lists.map((list, index) => {
    const scores = normalize(
      list.hits.map(({ score }) => score),
      index,
    )
    return { ...list, hits: list.hits.map((hit, place) => ({ ...hit, score: scores[place]! })) }
  })
}

function normByName(name: string): Norm {
  const norm = new Map<string, Norm>(Object.entries(norms)).get(name)
  if (norm !== undefined) return norm
  throw new QuerentError('bad-config', `No normalisation is called "${name}"`, {
    remedy: `There are ${normNames.join(', ')}.`,
  })
}

function bordaNorm(lists: readonly RankedList[]): RankedList[] {
  const union = [...new Set(lists.flatMap(({ hits }) => hits.map(({ docid }) => docid)))].sort(byCodeUnit)
  return lists.map((list) => {
    const count = list.hits.length
    const own = new Set(list.hits.map(({ docid }) => docid))
    const ranked: Hit[] = list.hits.map((hit, place) => ({ ...hit, score: 1 - place / union.length }))
    const below = 0.5 - (count - 1) / (2 * union.length)
    const added = union
      .filter((docid) => !own.has(docid))
      .map((docid, place) => ({ docid, score: below, rank: count + place + 1 }))
    return { ...list, hits: [...ranked, ...added] }
  })
}
