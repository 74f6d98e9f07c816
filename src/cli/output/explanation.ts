/** Why each hit of a search is there: in three sentences, as a table, and, if wanted, with all scores. */
import type { Considered } from '../../../policies/local/considered.ts'
import { answeredLists, type Explanation } from '../../explain.ts'
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

/** @param fusion the method the search used */
export function explanationLines(
  trace: Trace,
  fusion: Fusion,
  hits: readonly ExplainedHit[],
  isVerbose: boolean,
): string[] {
  const table = hitTable(
    trace,
    hits.map(({ title }) => title),
  )
  const considered = consideredOf(trace)
  return [
    ...inPlainWords(trace, fusion),
    ...describeFilters(trace),
    ...missingLegs(trace),
    ...['', ...searchedTexts(trace), '', ...table],
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
  if (fallback !== undefined) return `The policy ${policy} ${fallback}`
  const weighed = consideredOf(trace)
  const likely = (100 * (weighed?.best[0]?.probability ?? 1)).toFixed(0)
  const why =
    weighed === undefined
      ? reason
      : `the best of ${count(weighed.choices, 'choice')}, with probability ${likely} %`
  if (kind === 'as-is') return `The policy ${policy} searched the original query alone (${why}).`
  const number = subQueries.length
  const what = kind === 'rewrite' ? count(number, 'rewrite') : count(number, 'sub-query', 'sub-queries')
  // Whether the lists of the original query were fused with those of the sub-queries.
  const hasOriginal = fuseStep(trace)?.lists.some(({ subQuery }) => subQuery.round === 0) ?? false
  const original = hasOriginal ? 'with the original query' : 'instead of the original query'
  return `The policy ${policy} searched ${what} ${original} (${why}).`
}

function change(trace: Trace, fusion: Fusion): string {
  const { hits } = trace.outcome
  if (hits.length === 0) return 'Nothing was found.'
  // What the original query alone would have found, with the same fusion.
  const lists = answeredLists(trace).filter(({ subQuery }) => subQuery.round === 0)
  const norm = fuseStep(trace)?.norm
  const before = fusion.fuse(lists, norm === undefined ? {} : { norm }).slice(0, hits.length)
  const known = new Set(before.map(({ docid }) => docid))
  const added = hits.filter(({ docid }) => !known.has(docid)).length
  if (added > 0) {
    const [is, it] = added === 1 ? ['is', 'it'] : ['are', 'them']
    const brought = trace.kind === 'as-is' && isReranked(trace) ? `: re-ranking brought ${it} up` : ''
    return `Of the ${count(hits.length, 'hit')}, ${added} ${is} not among the first ${hits.length} of the original query${brought}.`
  }
  const isSame = hits.every(({ docid }, place) => before[place]?.docid === docid)
  return `The hits are those of the original query, in ${isSame ? 'the same' : 'a different'} order.`
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

const share = (probability: number): string => percent(probability).padStart(7)

/** The candidates, the best sets of them, and what distinguishes the best set from the original query alone. */
function describeConsidered({ candidates, choices, best, inputs }: Considered): string[] {
  return [
    ...(candidates.length > 0 ? ['Candidates, with the probability of all sets that contain each one:'] : []),
    ...candidates.map(({ text, kind, from, probability }) => {
      const source = from === undefined ? kind : `${kind} from ${from}`
      return `  ${share(probability)}  "${clip(text, 40)}" (${source})`
    }),
    `The ${best.length} most probable of ${count(choices, 'set')} of sub-queries:`,
    ...best.map(({ subQueries, withOriginal, probability }) => {
      const texts = subQueries.map((text) => `"${clip(text, 40)}"`)
      return `  ${share(probability)}  ${[...(withOriginal ? ['the original query'] : []), ...texts].join(' + ')}`
    }),
    ...(inputs.length > 0 ? ['What distinguishes the best set from the original query alone:'] : []),
    ...inputs.map(({ name, part }) => `  ${signed(part)}  ${name}`),
  ]
}

/** Features of a hit's re-ranking that are shown. */
const shownInputs = 5

/** A hit: its fused score, the lists behind that score and, if it was re-ranked, the features that moved it. */
function describeHit(hit: ExplainedHit): string[] {
  const { docid, rank, score, fused, recomputed, contributions, title, reranked } = hit
  const place = fused === undefined ? '' : `fused at rank ${fused.rank}, `
  const before = (fused?.score ?? score).toFixed(4)
  return [
    `${rank}. ${docid}  ${clip(title)}`.trimEnd(),
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
