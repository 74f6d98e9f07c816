/**
 * Score normalisations, by ranx's names. They change scores and never the order of a list, which is its ranking. An empty
 * list stays empty, except for `borda`.
 */
import { QuerentError } from '../../src/errors.ts'
import { byCodeUnit } from '../../src/rank.ts'
import type { RankedList } from '../../src/types.ts'
import { type Pool, poolLists } from './pool.ts'
import { rangeOf } from './range.ts'
import { sum } from './sum.ts'

/** Scores of one list, in the order of its ranking, to the scores that replace them. Lists are numbered from 0. */
export type Norm = (scores: readonly number[], list: number) => number[]

/** Below this a spread counts as this, so that nothing is divided by zero. ranx's value. */
const least = 1e-9

/** `spread` to divide by: not too small, and NaN where it has overflown, since all scores would become 0. */
const divisor = (spread: number): number =>
  spread === Number.POSITIVE_INFINITY ? Number.NaN : Math.max(spread, least)

/** (s − min) / (max − min), from 0 to 1. A list of equal scores, or of one, becomes 0. */
const minMax: Norm = (scores) => {
  const [lowest, highest] = rangeOf(scores)
  return scores.map((score) => (score - lowest) / divisor(highest - lowest))
}

/** (max − s) / (max − min): for scores that are distances, where the best is the smallest. */
const minMaxInverted: Norm = (scores) => {
  const [lowest, highest] = rangeOf(scores)
  return scores.map((score) => (highest - score) / divisor(highest - lowest))
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
  return scores.map((score) => (score - lowest) / divisor(total))
}

/** (s − μ) / σ with the population's σ: zero mean, unit variance. */
const zmuv: Norm = (scores) => {
  const mean = sum(scores) / scores.length
  const deviation = Math.sqrt(sum(scores.map((score) => (score - mean) ** 2)) / scores.length)
  return scores.map((score) => (score - mean) / divisor(deviation))
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
 * A pool with normalised `scores`; its `lists` keep their own. A document that two lists have is one document.
 *
 * `borda` looks at all lists: with C documents in their union, rank r becomes 1 − (r − 1) / C, and the documents that a list
 * of n does not have are put below its own, by docid, each with 1/2 − (n − 1) / 2C. It is the only one that adds hits, with
 * that as their own score too.
 *
 * @param norm a name of `normNames`, or a function of one list's scores
 * @throws QuerentError `bad-config` for another name; `bad-list` for a list whose scores are too far apart for the arithmetic
 */
export function normalizePool(pool: Pool, norm: string | Norm): Pool {
  if (norm === 'none') return pool
  if (norm === 'borda') return bordaPool(pool)
  const normalize = typeof norm === 'function' ? norm : normByName(norm)
  const normalized = pool.lists.map((list, index) => {
    const scores = normalize(
      list.hits.map(({ score }) => score),
      index,
    )
    if (scores.every(Number.isFinite)) return scores
    throw new QuerentError(
      'bad-list',
      `The scores of the list of ${list.retriever} for "${list.subQuery.text}" are too large to be normalised`,
    )
  })
  return { ...pool, normalized }
}

/** Lists with normalised scores, without the duplicates inside a list. See `normalizePool`. */
export function normalizeLists(lists: readonly RankedList[], norm: string | Norm): RankedList[] {
  const pool = normalizePool(poolLists(lists), norm)
  return pool.lists.map((list, index) => {
    const scores = pool.normalized?.[index]
    return {
      ...list,
      hits: list.hits.map((hit, place) => ({ ...hit, score: scores?.[place] ?? hit.score })),
    }
  })
}

function normByName(name: string): Norm {
  const norm = new Map<string, Norm>(Object.entries(norms)).get(name)
  if (norm !== undefined) return norm
  throw new QuerentError('bad-config', `No normalisation is called "${name}"`, {
    remedy: `There are ${normNames.join(', ')}.`,
  })
}

function bordaPool({ union, lists }: Pool): Pool {
  const sorted = union.map(({ hit }) => hit.docid).sort(byCodeUnit)
  const below = ({ hits }: RankedList): number => 0.5 - (hits.length - 1) / (2 * union.length)
  const complete = lists.map((list) => {
    const own = new Set(list.hits.map(({ docid }) => docid))
    const missing = sorted.filter((docid) => !own.has(docid))
    const added = missing.map((docid, place) => ({
      docid,
      score: below(list),
      rank: list.hits.length + place + 1,
    }))
    return { ...list, hits: [...list.hits, ...added] }
  })
  const normalized = lists.map((list) =>
    sorted.map((_, place) => (place < list.hits.length ? 1 - place / union.length : below(list))),
  )
  return { ...poolLists(complete), normalized }
}
