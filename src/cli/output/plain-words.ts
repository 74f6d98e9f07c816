/** A search in three sentences: the decision and its reason, how it changed the hits, and what re-ranking did. */

import { answeredLists } from '../../explain.ts'
import type { Fusion, Hit, Trace } from '../../types.ts'
import { count } from './count.ts'
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
      : `the best of ${count(weighed.choices, 'choice')}, with probability ${percent(weighed.best[0]?.probability ?? 1)}`
  if (kind === 'as-is') return `The policy ${policy} searched the original query alone (${why}).`
  const what =
    kind === 'rewrite'
      ? count(subQueries.length, 'rewrite')
      : count(subQueries.length, 'sub-query', 'sub-queries')
  const original = hasOriginal(trace) ? 'with the original query' : 'instead of the original query'
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
    return `Of the ${count(hits.length, 'hit')}, ${added} ${added === 1 ? 'is' : 'are'} not among the first ${hits.length} of the original query${brought}.`
  }
  const isSame = hits.every(({ docid }, place) => before[place]?.docid === docid)
  return isSame
    ? 'The hits are those of the original query, in the same order.'
    : 'The hits are those of the original query, in a different order.'
}

function reranking({ steps, outcome: { hits } }: Trace): string {
  const step = steps.findLast((one) => one.type === 'rerank')
  if (step === undefined) return 'Nothing was re-ranked.'
  if (step.error !== undefined) return `The fused order stayed: ${step.error.message}`
  if (step.pool === 0 || hits.length === 0) return 'Nothing was re-ranked: the hits have no text.'
  const moved = hits.filter(({ rank, fused }) => fused?.rank !== rank).length
  const read = `Re-ranking read ${count(step.pool, 'document')}`
  if (moved === 0) return `${read} and kept the fused order.`
  const first = hits[0]!
  const from =
    first.fused === undefined
      ? 'was in no fused list'
      : first.fused.rank === 1
        ? 'stayed first'
        : `was at rank ${first.fused.rank}`
  return `${read} and moved ${moved} of the ${count(hits.length, 'hit')}; the first hit ${from}.`
}

/** The hits that the original query alone would have returned, with the same fusion. */
function originalHits(trace: Trace, fusion: Fusion): readonly Hit[] {
  const lists = answeredLists(trace).filter(({ subQuery }) => subQuery.round === 0)
  const norm = fuseStep(trace)?.norm
  return fusion.fuse(lists, norm === undefined ? {} : { norm })
}

/** Whether the lists of the original query were fused with those of the sub-queries. */
const hasOriginal = (trace: Trace): boolean =>
  fuseStep(trace)?.lists.some(({ subQuery }) => subQuery.round === 0) ?? false

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`
