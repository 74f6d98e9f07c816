/** Computes the reward of one answer, with the values that trainers log. */
import { rankScore } from '../../../fusion/rank-score.ts'
import { type Bonus, type Decay, formatGate, rewardOfRanks } from '../../../policies/acqo/rewards.ts'
import { subsetRanks } from '../../../policies/acqo/subset-ranks.ts'
import type { RankedList } from '../../types.ts'

/** Options of a reward. Defaults are those of `policies/acqo/rewards.ts`. */
export interface ServedRewardOptions extends Decay, Bonus {
  /** 1: score the best set of sub-queries (eq. 6). 2: score all sub-queries, fused (eq. 9 and 10). Default: 2. */
  readonly stage?: 1 | 2
  /** δ: the reward of a malformed answer, below 0. Default: −0.1. */
  readonly delta?: number | undefined
  /** Depth of the retrieved lists and of the fused list. Default: 100. */
  readonly topk?: number
}

export const defaultTopk = 100

/** Stage 1 evaluates all sets of sub-queries, which is too slow for more sub-queries. */
export const maxStageOneSubQueries = 12

/** Field names follow the trainers' logs; see `docs/training-llm.md`. */
export interface Reward {
  /** The reward, rounded to 6 decimals. Without rounding, equal rewards within a group could differ in their last bits. */
  readonly score: number
  /** The score divided by the best possible score, from 0 to 1; 0 for a malformed answer. */
  readonly acc: number
  /** 1 if the answer follows the grammar, else 0. */
  readonly format: 0 | 1
  /** Number of distinct sub-queries searched. */
  readonly n_sub: number
  /** The rank of each relevant document, from 1, in the list that was scored; `null` if it is not among the first topk. */
  readonly ranks: readonly (number | null)[]
  /** Indexes (from 0) of the sub-queries in that list. Stage 2: all. Stage 1: the best set; ties go to the smaller set. */
  readonly best_subset: readonly number[]
}

/** The reward of a malformed answer. @throws QuerentError `bad-config` for a δ that is not below 0 */
export function malformedReward(golds: readonly string[], { delta }: ServedRewardOptions = {}): Reward {
  return {
    score: rounded(formatGate(false, 0, { delta })),
    acc: 0,
    format: 0,
    n_sub: 0,
    ranks: golds.map(() => null),
    best_subset: [],
  }
}

/**
 * @param searched the lists of each sub-query, one per retriever
 * @param golds docids of the relevant documents, without duplicates
 * @throws QuerentError `bad-config` for an option out of range or more than 12 sub-queries in stage 1
 */
export function rewardOf(
  searched: readonly (readonly RankedList[])[],
  golds: readonly string[],
  options: ServedRewardOptions = {},
): Reward {
  const { stage = 2, topk = defaultTopk, eta, etaStart } = options
  if (stage === 2) {
    const subset = searched.map((_, index) => index)
    return wellFormed(
      fusedRanks(searched, golds, topk),
      { n_sub: searched.length, best_subset: subset },
      options,
    )
  }
  const { ranks, subset } = bestSubset(searched, golds, topk, { eta, etaStart })
  return wellFormed(ranks, { n_sub: searched.length, best_subset: subset }, options)
}

/**
 * The reward of Stage II for documents that an agent keeps, as if a search had found them in this order.
 *
 * @param kept docids, without duplicates
 * @param searches how many there were
 * @param golds docids of the relevant documents, without duplicates
 * @throws QuerentError `bad-config` for an option out of range
 */
export function keptReward(
  kept: readonly string[],
  searches: number,
  golds: readonly string[],
  options: ServedRewardOptions = {},
): Reward {
  const list = kept.slice(0, options.topk ?? defaultTopk)
  const ranks = golds.map((docid) => list.indexOf(docid) + 1 || undefined)
  return wellFormed(ranks, { n_sub: searches, best_subset: [] }, { ...options, stage: 2 })
}

/** The reward of these ranks of the relevant documents. */
function wellFormed(
  ranks: Ranks,
  searched: Pick<Reward, 'n_sub' | 'best_subset'>,
  { stage = 2, eta, etaStart, lambda, kStar }: ServedRewardOptions,
): Reward {
  const valued = stage === 1 ? { eta, etaStart } : { eta, etaStart, lambda, kStar }
  const score = rewardOfRanks(ranks, valued)
  const best = rewardOfRanks(
    ranks.map((_, index) => index + 1),
    valued,
  )
  return {
    score: rounded(score),
    acc: best === 0 ? 0 : rounded(score / best),
    format: 1,
    ...searched,
    ranks: ranks.map((rank) => rank ?? null),
  }
}

type Ranks = readonly (number | undefined)[]

function fusedRanks(
  searched: readonly (readonly RankedList[])[],
  golds: readonly string[],
  topk: number,
): Ranks {
  const fused = rankScore().fuse(searched.flat(), { k: topk, depth: topk })
  const ranks = new Map(fused.map(({ docid, rank }) => [docid, rank]))
  return golds.map((docid) => ranks.get(docid))
}

function bestSubset(
  searched: readonly (readonly RankedList[])[],
  golds: readonly string[],
  topk: number,
  decay: Decay,
): { readonly ranks: Ranks; readonly subset: readonly number[] } {
  const cells = subsetRanks(searched, golds, topk)
  let best: { readonly score: number; readonly ranks: Ranks; readonly subset: readonly number[] } | undefined
  for (let set = 1; set < 1 << searched.length; set++) {
    const ranks = golds.map((_, gold) => {
      const rank = cells[set * golds.length + gold]!
      return rank >= 1 && rank <= topk ? rank : undefined
    })
    const subset = searched.flatMap((_, index) => (set & (1 << index) ? [index] : []))
    const score = rewardOfRanks(ranks, decay)
    if (
      best === undefined ||
      score > best.score ||
      (score === best.score && subset.length < best.subset.length)
    )
      best = { score, ranks, subset }
  }
  return best ?? { ranks: golds.map(() => undefined), subset: [] }
}

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6
