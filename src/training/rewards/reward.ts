/** The reward of one answer, with what a trainer logs beside it. */
import { rankScore } from '../../../fusion/rank-score.ts'
import { type Bonus, type Decay, formatGate, rewardOfRanks } from '../../../policies/acqo/rewards.ts'
import { subsetRanks } from '../../../policies/acqo/subset-ranks.ts'
import type { RankedList } from '../../types.ts'

/** How a reward is computed. Absent ones have the defaults of `rewards/acqo.ts`. */
export interface ServedRewardOptions extends Decay, Bonus {
  /** 1: the best set of sub-queries counts (eq. 6). 2: all of them, fused (eq. 9 and 10). Default: 2. */
  readonly stage?: 1 | 2
  /** δ: the reward of an answer outside of the grammar, below 0. Default: −0.1. */
  readonly delta?: number
  /** How deep lists are retrieved and the fused list is looked at. Default: 100. */
  readonly topk?: number
}

export const defaultTopk = 100

/** Stage 1 looks at all sets of sub-queries: of more there are too many. */
export const maxStageOneSubQueries = 12

/** Names are those that trainers log; see `docs/training-llm.md`. */
export interface Reward {
  /** The reward, rounded to 6 decimals: of more, equal rewards of a group would differ. */
  readonly score: number
  /** The score as a part of the best possible, from 0 to 1; 0 for a malformed answer. */
  readonly acc: number
  /** Whether the answer keeps to the grammar. */
  readonly format: 0 | 1
  /** How many different sub-queries were searched. */
  readonly n_sub: number
  /** For each relevant document its rank, from 1, in the list that the score was made from; `null`: not among the first topk. */
  readonly ranks: readonly (number | null)[]
  /** The sub-queries of that list, from 0: in stage 2 all, in stage 1 the best set, of equal ones the smallest. */
  readonly best_subset: readonly number[]
}

/** The reward of an answer that is none. @throws QuerentError `bad-config` for a δ that is not below 0 */
export function malformedReward(golds: readonly string[], { delta }: ServedRewardOptions = {}): Reward {
  return {
    score: rounded(formatGate(false, 0, delta === undefined ? {} : { delta })),
    acc: 0,
    format: 0,
    n_sub: 0,
    ranks: golds.map(() => null),
    best_subset: [],
  }
}

/**
 * @param searched the lists of each sub-query, one a retriever
 * @param golds docids of the relevant documents, each once
 * @throws QuerentError `bad-config` for an option out of its range or more than 12 sub-queries in stage 1
 */
export function rewardOf(
  searched: readonly (readonly RankedList[])[],
  golds: readonly string[],
  options: ServedRewardOptions = {},
): Reward {
  const { stage = 2, topk = defaultTopk, eta, etaStart, lambda, kStar } = options
  const decay = { ...(eta !== undefined && { eta }), ...(etaStart !== undefined && { etaStart }) }
  const bonus = { ...(lambda !== undefined && { lambda }), ...(kStar !== undefined && { kStar }) }
  const valued = stage === 1 ? decay : { ...decay, ...bonus }
  const { ranks, subset } =
    stage === 1
      ? bestSubset(searched, golds, topk, decay)
      : { ranks: fusedRanks(searched, golds, topk), subset: searched.map((_, index) => index) }
  const score = rewardOfRanks(ranks, valued)
  const best = rewardOfRanks(
    golds.map((_, index) => index + 1),
    valued,
  )
  return {
    score: rounded(score),
    acc: best === 0 ? 0 : rounded(score / best),
    format: 1,
    n_sub: searched.length,
    ranks: ranks.map((rank) => rank ?? null),
    best_subset: subset,
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
