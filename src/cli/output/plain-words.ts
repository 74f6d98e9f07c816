/** A search in three sentences: what was decided and why, what that changed, and what re-ranking did. */

import { answeredLists } from '../../explain.ts'
import type { Fusion, Hit, Trace } from '../../types.ts'
import { consideredOf, describeFallback, fuseStep, isReranked } from './decision.ts'

/** @param fusion the method the search used */
export const inPlainWords = (trace: Trace, fusion: Fusion): string[] => [
  decision(trace),
  change(trace, fusion),
  reranking(trace),
]

function decision(trace: Trace): string {
  const { policy, kind, reason, subQueries } = trace
  const [fallback] = describeFallback(trace)
  if (fallback !== undefined) return `The policy ${policy} ${fallback}`
  const weighed = consideredOf(trace)
  const why =
    weighed === undefined
      ? reason
      : `the best of ${count(weighed.choices, 'set', 'sets')} that it weighed, at ${percent(weighed.best[0]?.probability ?? 1)}`
  if (kind === 'as-is') return `The policy ${policy} searched the original query alone (${why}).`
  const what =
    kind === 'rewrite'
      ? count(subQueries.length, 'rewrite', 'rewrites')
      : count(subQueries.length, 'sub-query', 'sub-queries')
  const original = hasOriginal(trace) ? 'beside the original query' : 'in place of the original query'
  return `The policy ${policy} searched ${what} ${original} (${why}).`
}

function change(trace: Trace, fusion: Fusion): string {
  const { hits } = trace.outcome
  if (hits.length === 0) return 'Nothing was found.'
  const before = originalHits(trace, fusion).slice(0, hits.length)
  const known = new Set(before.map(({ docid }) => docid))
  const added = hits.filter(({ docid }) => !known.has(docid)).length
  if (added > 0) {
    const brought =
      trace.kind === 'as-is' && isReranked(trace)
        ? `: re-ranking brought ${added === 1 ? 'it' : 'them'} up`
        : ''
    return `Of the ${count(hits.length, 'hit', 'hits')}, ${added} ${added === 1 ? 'is' : 'are'} not among the first ${hits.length} of the original query${brought}.`
  }
  const isSame = hits.every(({ docid }, place) => before[place]?.docid === docid)
  return isSame
    ? 'The hits are those of the original query, in the same order.'
    : 'The hits are those of the original query, in another order.'
}

function reranking({ steps, outcome: { hits } }: Trace): string {
  const step = steps.findLast((one) => one.type === 'rerank')
  if (step === undefined) return 'Nothing was re-ranked.'
  if (step.error !== undefined) return `The fused order stayed: ${step.error.message}`
  if (step.pool === 0 || hits.length === 0) return 'Nothing was re-ranked: there was no text to read.'
  const moved = hits.filter(({ rank, fused }) => fused?.rank !== rank).length
  const read = `Re-ranking read ${count(step.pool, 'document', 'documents')}`
  if (moved === 0) return `${read} and kept the fused order.`
  const first = hits[0]!
  const from =
    first.fused === undefined
      ? 'was in no fused list'
      : first.fused.rank === 1
        ? 'stayed first'
        : `was at rank ${first.fused.rank}`
  return `${read} and moved ${moved} of the ${count(hits.length, 'hit', 'hits')}; the first hit ${from}.`
}

/** The hits that the original query alone would have had, fused alike. */
function originalHits(trace: Trace, fusion: Fusion): readonly Hit[] {
  const lists = answeredLists(trace).filter(({ subQuery }) => subQuery.round === 0)
  const norm = fuseStep(trace)?.norm
  return fusion.fuse(lists, norm === undefined ? {} : { norm })
}

/** Whether the original query's lists were fused with those of the sub-queries. */
const hasOriginal = (trace: Trace): boolean =>
  fuseStep(trace)?.lists.some(({ subQuery }) => subQuery.round === 0) ?? false

export const count = (number: number, one: string, many: string): string =>
  `${number} ${number === 1 ? one : many}`

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`
