/** The measures that count relevant hits. Each is 0 where it would divide by 0. */
import { countRelevant, countRelevantHits, isRelevant, type Measure } from './judgments.ts'

/** Number of relevant documents among the first `k` hits, as in ranx. */
export const hits: Measure = (ranking, grades, { k = Infinity, level = 1 } = {}) =>
  countRelevantHits(ranking, grades, k, level)

/** Success: 1 if a relevant document is among the first `k` hits, else 0. trec_eval's `success`; ranx calls it `hit_rate`. */
export const success: Measure = (ranking, grades, options) => (hits(ranking, grades, options) > 0 ? 1 : 0)

/**
 * All: 1 if every relevant document is among the first `k` hits, else 0: whether an answer that needs the whole chain can be read
 * there (full-chain recall). 0 if no document is relevant.
 */
export const all: Measure = (ranking, grades, options) => (recall(ranking, grades, options) === 1 ? 1 : 0)

/**
 * Last hop: 1 if the last document of the chain is among the first `k` hits, else 0. It is the relevant document that comes last in
 * `grades`, so judgments must list chains in their order.
 */
export const lastHop: Measure = (ranking, grades, { k = Infinity, level = 1 } = {}) => {
  const last = [...grades].findLast(([, grade]) => grade >= level)?.[0]
  return ranking.slice(0, k).some(({ docid }) => docid === last) ? 1 : 0
}

/**
 * Precision: the number of relevant documents among the first `k` hits, divided by `k` even if the ranking is shorter.
 * Without `k`, divided by the number of hits. Range 0 to 1. Equal to trec_eval's `P` and `set_P`.
 */
export const precision: Measure = (ranking, grades, { k = ranking.length, level = 1 } = {}) =>
  k > 0 ? countRelevantHits(ranking, grades, k, level) / k : 0

/**
 * Recall: the fraction of the relevant documents that are among the first `k` hits. Range 0 to 1. Equal to trec_eval's `recall`
 * and `set_recall`.
 */
export const recall: Measure = (ranking, grades, { k = Infinity, level = 1 } = {}) => {
  const relevant = countRelevant(grades, level)
  return relevant > 0 ? countRelevantHits(ranking, grades, k, level) / relevant : 0
}

/** F1: the harmonic mean of precision and recall, `2PR / (P + R)` (van Rijsbergen, 1979), as in ranx. Range 0 to 1. */
export const f1: Measure = (ranking, grades, options) => {
  const p = precision(ranking, grades, options)
  const r = recall(ranking, grades, options)
  return p + r > 0 ? (2 * p * r) / (p + r) : 0
}

/**
 * R-precision: precision at R, the number of relevant documents of the query. `k` is ignored. Range 0 to 1. Equal to trec_eval's
 * `Rprec`.
 */
export const rPrecision: Measure = (ranking, grades, { level = 1 } = {}) =>
  precision(ranking, grades, { k: countRelevant(grades, level), level })

/**
 * Average precision: the sum of the precision at the rank of each relevant hit, divided by R, the number of all relevant
 * documents (not by min(R, k)). Range 0 to 1. Its mean over queries is MAP. Equal to trec_eval's `map` and `map_cut`.
 */
export const averagePrecision: Measure = (ranking, grades, { k = Infinity, level = 1 } = {}) => {
  const relevant = countRelevant(grades, level)
  let found = 0
  let sum = 0
  for (const [index, { docid }] of ranking.entries())
    if (index < k && isRelevant(docid, grades, level)) sum += ++found / (index + 1)
  return relevant > 0 ? sum / relevant : 0
}

/**
 * Reciprocal rank: 1 / the rank of the first relevant hit, or 0 if none is among the first `k`. Range 0 to 1. Its mean over
 * queries is MRR. Equal to trec_eval's `recip_rank`.
 */
export const reciprocalRank: Measure = (ranking, grades, { k = Infinity, level = 1 } = {}) => {
  const place = ranking.findIndex(({ docid }, index) => index < k && isRelevant(docid, grades, level))
  return place === -1 ? 0 : 1 / (place + 1)
}

/**
 * Judged: the fraction of the first `k` hits that have a grade, whatever it is: a negative one is a judgment here. If the ranking is
 * shorter than `k`, the fraction of all hits. Range 0 to 1. `level` is ignored. Equal to ir_measures' `Judged@k`.
 */
export const judged: Measure = (ranking, grades, { k = Infinity } = {}) => {
  const seen = ranking.slice(0, k)
  return seen.length > 0 ? seen.filter(({ docid }) => grades.has(docid)).length / seen.length : 0
}
