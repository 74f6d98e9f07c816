/** Explanations for people: what the policy considered, and why a hit has its rank. */

import type { Considered } from '../../../policies/local/considered.ts'
import type { Explanation } from '../../explain.ts'
import type { RerankReason } from '../../reranker.ts'
import { count } from './count.ts'
import { clip } from './truncate.ts'

/** Features of a hit's re-ranking that are shown. */
const shownInputs = 5

/** The candidates, the best sets of them, and what distinguishes the best set from the original query alone. */
export function describeConsidered({ candidates, choices, best, inputs }: Considered): string[] {
  return [
    ...(candidates.length > 0 ? ['Candidates, with the probability of all sets that contain each one:'] : []),
    ...candidates.map(({ text, kind, from, probability }) => {
      const source = from === undefined ? kind : `${kind} from ${from}`
      return `  ${percent(probability)}  "${clip(text, 40)}" (${source})`
    }),
    `The ${best.length} most probable of ${count(choices, 'set')} of sub-queries:`,
    ...best.map(({ subQueries, withOriginal, probability }) => {
      const parts = [
        ...(withOriginal ? ['the original query'] : []),
        ...subQueries.map((text) => `"${clip(text, 40)}"`),
      ]
      return `  ${percent(probability)}  ${parts.join(' + ')}`
    }),
    ...(inputs.length > 0 ? ['What distinguishes the best set from the original query alone:'] : []),
    ...inputs.map(({ name, part }) => `  ${signed(part)}  ${name}`),
  ]
}

const percent = (share: number): string => `${(100 * share).toFixed(1).padStart(5)} %`

/**
 * A hit: its fused score, the lists behind that score and, if it was re-ranked, the features that moved it.
 *
 * @param reason why re-ranking gave the hit its rank
 */
export function describeHit(
  { docid, rank, score, fused, recomputed, contributions }: Explanation,
  title: string,
  reason: RerankReason | undefined,
): string[] {
  const before = fused ?? { rank, score }
  return [
    `${rank}. ${docid}  ${clip(title)}`.trimEnd(),
    ...(reason === undefined ? [] : describeReason(reason)),
    recomputed === undefined
      ? '   not fused: it is only in lists that were searched for re-ranking'
      : `   ${fused === undefined ? '' : `fused at rank ${before.rank}, `}fused score ${before.score.toFixed(4)}, ` +
        `recomputed from the lists below ${recomputed.toFixed(4)}`,
    ...contributions.map((part) => {
      const columns = [
        `   ${part.retriever.padEnd(8)}`,
        `rank ${part.rank}`.padEnd(8),
        `score ${part.score.toFixed(4)}`.padEnd(14),
        part.normalized === undefined ? '' : `normalized ${part.normalized.toFixed(4)}`,
        part.weight === undefined ? '' : `weight ${part.weight}`,
        part.share === undefined ? '' : `share ${(part.share * 100).toFixed(1)} %`.padEnd(13),
        `"${clip(part.subQuery.text)}"`,
      ]
      return columns.filter((column) => column !== '').join('  ')
    }),
  ]
}

function describeReason({ score, alone, together, inputs }: RerankReason): string[] {
  return [
    `   re-ranked to ${score.toFixed(4)}: relevant by itself ${(100 * alone).toFixed(1)} %, ` +
      `beside the other hits ${signed(together)}`,
    ...inputs
      .slice(0, shownInputs)
      .map(({ name, value, part }) => `     ${signed(part)}  ${name} (${Number(value.toPrecision(3))})`),
  ]
}

const signed = (part: number): string => `${part < 0 ? '−' : '+'}${Math.abs(part).toFixed(3)}`
