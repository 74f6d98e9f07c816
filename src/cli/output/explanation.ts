/** Why each hit of a search is there: in three sentences, as a table, and, if wanted, with all scores. */
import type { Considered } from '../../../policies/local/decision/considered.ts'
import { type Explanation, ranksAlone } from '../../explain.ts'
import type { RerankReason } from '../../reranker.ts'
import type { Fusion, Trace } from '../../types.ts'
import {
  consideredOf,
  describeDecision,
  describeFallback,
  describeFilters,
  fuseStep,
  isReranked,
  missingLegs,
} from './decision.ts'
import { hitTable, searchedTexts } from './hit-table.ts'
import { clip, count, percent, signed } from './words.ts'

interface ExplainedHit extends Explanation {
  readonly title: string
  /** Why re-ranking gave the hit its rank. */
  readonly reranked?: RerankReason
}

/**
 * @param fusion the method the search used
 * @param sources titles of the documents that searches were made from
 */
export function explanationLines(
  trace: Trace,
  fusion: Fusion,
  hits: readonly ExplainedHit[],
  isVerbose: boolean,
  sources: ReadonlyMap<string, string> = new Map(),
): string[] {
  const table = hitTable(
    trace,
    hits.map(({ title }) => title),
    ranksAlone(trace, fusion),
  )
  const considered = consideredOf(trace)
  return [
    ...table,
    ...(table.length > 0 ? [''] : []),
    ...inPlainWords(trace, fusion),
    ...describeFilters(trace),
    ...missingLegs(trace),
    ...['', ...searchedTexts(trace, sources)],
    ...(isVerbose ? ['', ...describeDecision(trace)] : []),
    ...(isVerbose && considered !== undefined ? describeConsidered(considered) : []),
    ...(isVerbose ? hits.flatMap((hit) => ['', ...describeHit(hit)]) : []),
  ]
}

/** The decision and its reason, how it changed the hits, and what re-ranking did. */
export const inPlainWords = (trace: Trace, fusion: Fusion): string[] => [
  decision(trace),
  change(trace, fusion),
  reranking(trace),
]

function decision(trace: Trace): string {
  const { policy, kind, reason, subQueries } = trace
  const [fallback] = describeFallback(trace)
  if (fallback !== undefined) return `The policy ${policy} failed. ${fallback}`
  if (kind === 'as-is') return `Unchanged: the policy ${policy} searched your words alone (${reason}).`
  const number = subQueries.length
  const what = kind === 'rewrite' ? 'Rewritten' : 'Split'
  // Whether the lists of the original query were fused with those of the sub-queries.
  const hasOriginal = fuseStep(trace)?.lists.some(({ subQuery }) => subQuery.round === 0) ?? false
  const original = hasOriginal ? 'beside your words' : 'instead of your words'
  return `${what}: ${count(number, 'search', 'searches')} ${original}, by the policy ${policy} (${reason}).`
}

function change(trace: Trace, fusion: Fusion): string {
  const { hits } = trace.outcome
  if (hits.length === 0) return 'Nothing was found.'
  const ranks = ranksAlone(trace, fusion)
  const before = [...ranks.keys()].slice(0, hits.length)
  const known = new Set(before)
  const added = hits.filter(({ docid }) => !known.has(docid)).length
  if (added > 0) {
    const [is, it] = added === 1 ? ['is', 'it'] : ['are', 'them']
    const brought = trace.kind === 'as-is' && isReranked(trace) ? `: re-ranking brought ${it} up` : ''
    return `Of the ${count(hits.length, 'hit')}, ${added} ${is} not among the first ${hits.length} of your words alone${brought}.`
  }
  const isSame = hits.every(({ docid }, place) => before[place] === docid)
  return `The hits are those of your words alone, in ${isSame ? 'the same' : 'a different'} order.`
}

function reranking({ steps, outcome: { hits } }: Trace): string {
  const step = steps.findLast((one) => one.type === 'rerank')
  const [first] = hits
  if (step === undefined) return 'Nothing was re-ranked.'
  if (step.error !== undefined) return `The fused order stayed: ${step.error.message}`
  if (step.pool === 0 || first === undefined) return 'Nothing was re-ranked: the hits have no text.'
  const moved = hits.filter(({ rank, fused }) => fused?.rank !== rank).length
  const read = `Re-ranking read ${count(step.pool, 'document')}`
  if (moved === 0) return `${read} and kept the fused order.`
  const before = first.fused === undefined ? 'was in no fused list' : `was at rank ${first.fused.rank}`
  const from = first.fused?.rank === 1 ? 'stayed first' : before
  return `${read} and moved ${moved} of the ${count(hits.length, 'hit')}; the first hit ${from}.`
}

/** The plans with what each should gain, and what spoke for and against the first one. */
function describeConsidered({ plans, cost, inputs }: Considered): string[] {
  if (plans.length === 0) return ['No plan fits the query.']
  return [
    `What each plan should gain, in points of nDCG@10 and recall@5; a request costs ${(100 * cost).toFixed(1)}:`,
    ...plans.map(({ plan, subQueries, withOriginal, gain }) => {
      const texts = subQueries.map((text) => `"${clip(text, 40)}"`)
      return `  ${signed(100 * gain, 1).padStart(6)}  ${plan}: ${[...(withOriginal ? ['your words'] : []), ...texts].join(' + ')}`
    }),
    ...(inputs.length > 0 ? ['What raised and lowered that of the first plan:'] : []),
    ...inputs.map(({ name, part }) => `  ${signed(100 * part, 2).padStart(6)}  ${name}`),
  ]
}

/** Features of a hit's re-ranking that are shown. */
const shownInputs = 5

/** A hit: its fused score, the lists behind that score and, if it was re-ranked, the features that moved it. */
function describeHit(hit: ExplainedHit): string[] {
  const { docid, rank, score, fused, recomputed, contributions, title, reranked, recency } = hit
  const place = fused === undefined ? '' : `fused at rank ${fused.rank}, `
  const before = (fused?.score ?? score).toFixed(4)
  return [
    `${rank}. ${docid}  ${clip(title)}`.trimEnd(),
    ...(recency === undefined
      ? []
      : [`   at rank ${Math.round(recency / score)} before its age, which counts ${recency.toFixed(2)}`]),
    ...(reranked === undefined ? [] : describeReason(reranked)),
    recomputed === undefined
      ? '   not fused: it is only in lists that were searched for re-ranking'
      : `   ${place}fused score ${before}, recomputed from the lists below ${recomputed.toFixed(4)}`,
    ...contributions.map((part) => {
      const columns = [
        `   ${part.retriever.padEnd(8)}`,
        `rank ${part.rank}`.padEnd(8),
        `score ${part.score.toFixed(4)}`.padEnd(14),
        part.normalized === undefined ? '' : `normalized ${part.normalized.toFixed(4)}`,
        part.weight === undefined ? '' : `weight ${part.weight}`,
        part.share === undefined ? '' : `share ${percent(part.share)}`.padEnd(13),
        `"${clip(part.subQuery.text)}"`,
      ]
      return columns.filter((column) => column !== '').join('  ')
    }),
  ]
}

const describeReason = ({ score, alone, together, inputs }: RerankReason): string[] => [
  `   re-ranked to ${score.toFixed(4)}: relevant by itself ${percent(alone)}, beside the other hits ${signed(together)}`,
  ...inputs
    .slice(0, shownInputs)
    .map(({ name, value, part }) => `     ${signed(part)}  ${name} (${Number(value.toPrecision(3))})`),
]
