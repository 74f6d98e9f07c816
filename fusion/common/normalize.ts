/**
 * Score normalizations, with ranx's names. They change scores, never the order of a list, which is its ranking. An empty list
 * stays empty, except with `borda`.
 */
import { QuerentError } from '../../src/errors.ts'
import { byCodeUnit } from '../../src/rank.ts'
import type { RankedList } from '../../src/types.ts'
import { type Pool, poolLists } from './pool.ts'
import { rangeOf } from './range.ts'
import { sum } from './sum.ts'

/** Maps the scores of one list, in the order of its ranking, to normalized scores. Lists are numbered from 0. */
export type Norm = (scores: readonly number[], list: number) => number[]

/** The smallest divisor, so that nothing is divided by zero. ranx's value. */
const minDivisor = 1e-9

/** `spread` as a divisor: not too small, and NaN if it overflowed, because all scores would become 0. */
const divisor = (spread: number): number =>
  spread === Number.POSITIVE_INFINITY ? Number.NaN : Math.max(spread, minDivisor)

/** (s − min) / (max − min), from 0 to 1. Equal scores become 0. */
const minMax: Norm = (scores) => {
  const [lowest, highest] = rangeOf(scores)
  return scores.map((score) => (score - lowest) / divisor(highest - lowest))
}

/** (max − s) / (max − min): for distances, where the smallest is best. */
const minMaxInverted: Norm = (scores) => {
  const [lowest, highest] = rangeOf(scores)
  return scores.map((score) => (highest - score) / divisor(highest - lowest))
}

/** s / max. */
const byMax: Norm = (scores) => {
  const [, highest] = rangeOf(scores)
  return scores.map((score) => score / Math.max(highest, minDivisor))
}

/** (s − min) / Σ (s − min): the scores sum to 1. */
const bySum: Norm = (scores) => {
  const [lowest] = rangeOf(scores)
  const total = sum(scores) - lowest * scores.length
  return scores.map((score) => (score - lowest) / divisor(total))
}

/** (s − μ) / σ with the population deviation σ: zero mean, unit variance. */
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

/** The names of all normalizations. */
export const normNames: readonly string[] = [...Object.keys(norms), 'borda']

/**
 * Adds normalized scores to a pool. Its `lists` keep their raw scores.
 *
 * `borda` looks at all lists: with C documents in their union, the score at rank r becomes 1 − (r − 1) / C. The documents
 * missing from a list of n are added below its hits, by docid, each with the score 1/2 − (n − 1) / 2C. It is the only
 * normalization that adds hits.
 *
 * @param norm a name of `normNames`, or a function of one list's scores
 * @throws QuerentError `bad-config` for other names; `bad-list` if the scores of a list are too large for the arithmetic
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
      `The scores of the list of ${list.retriever} for "${list.subQuery.text}" are too large to normalize`,
    )
  })
  return { ...pool, normalized }
}

/** Normalizes the scores of lists, and removes duplicates inside a list. See `normalizePool`. */
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
  throw new QuerentError('bad-config', `No normalization is called "${name}"`, {
    remedy: `Choose one of ${normNames.join(', ')}.`,
  })
}

function bordaPool({ union, lists }: Pool): Pool {
  const sorted = union.map(([{ hit }]) => hit.docid).sort(byCodeUnit)
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
