/**
 * The rewards of ACQO ("When should I search more: adaptive complex query optimization with reinforcement learning"), eq. 3 to
 * 10. Ranks count from 1. `undefined` is a relevant document that was not found. `docs/papers.md` explains how Querent reads the
 * points that the paper leaves open.
 */
import { rankScore } from '../../fusion/rank-score.ts'
import { checkOption } from '../../src/learn/check-option.ts'
import { mean } from '../../src/learn/statistics.ts'
import type { Fusion, RankedList } from '../../src/types.ts'
import { countSets, subsetRanks } from './subset-ranks.ts'

/** R_k: the depth of a list, and the rank at which Φ ends. */
const depth = 100

/** The paper's settings for its two collections. */
export const acqoProfiles = {
  topiocqa: { eta: 1, kStar: 3 },
  hotpotqa: { eta: 0.6, kStar: 0 },
} as const

/** How to combine the ranks of several relevant documents into one number (eq. 4). */
export interface Decay {
  /** η: the weight of each further relevant document relative to the one before, from 0 to 1. Default: 1, as for TopiOCQA. */
  readonly eta?: number | undefined
  /** The exponent of η for the best rank. Default: 1, as in the paper: even the best rank is multiplied by η. */
  readonly etaStart?: 0 | 1 | undefined
}

/** Stage II's bonus for the first ranks: Φ′(r) = Φ(r) + λ / log2(r + 1) for r ≤ k* (eq. 10). */
export interface Bonus {
  /** λ, from 0. Default: 1, Querent's choice: the paper gives no value. */
  readonly lambda?: number | undefined
  /** k*: the last rank with a bonus. 0, the default, means no bonus, as for HotpotQA. */
  readonly kStar?: number | undefined
}

export interface FusedReward extends Decay {
  /** Fuses the lists. Default: rank-score fusion. Use another one for ablations only. */
  readonly fusion?: Fusion
}

/**
 * Φ (eq. 3), from 0 to 2. It falls from 2 at rank 1 to 1 at rank 10, (19 − r) / 9, and then to 0 at rank 100, (100 − r) / 90. It
 * is 0 beyond rank 100, for documents that were not found and for invalid ranks. Both pieces of the paper's definition include
 * rank 10, which would give it 2. Here the first piece includes it.
 *
 * @example baseReward(4) // 5/3
 */
export const baseReward = (rank: number | undefined): number => ninetieths(rank) / 90

/** 90 Φ as a whole number, so sums are exact. */
function ninetieths(rank: number | undefined): number {
  if (rank === undefined || !(rank >= 1 && rank <= depth)) return 0
  return rank <= 10 ? 10 * (19 - rank) : 100 - rank
}

/**
 * S (eq. 4 and 5): Σ η^i Φ(r_i) over the relevant documents found, best rank first; with a bonus Σ η^i Φ′(r_i) (eq. 10). From 0
 * to 2n for n documents, or to (2 + λ)n with a bonus. The order of `ranks` does not matter. Exact for η = 1 without a bonus.
 *
 * @example rewardOfRanks([2, 1], { eta: 0.6 }) // 0.6 · 2 + 0.36 · 17/9 = 1.88
 * @throws QuerentError `bad-config` for an η outside of 0 to 1, or a negative λ or k*
 */
export function rewardOfRanks(
  ranks: readonly (number | undefined)[],
  { eta = 1, etaStart = 1, lambda = 1, kStar = 0 }: Decay & Bonus = {},
): number {
  checkOption('eta', eta, eta >= 0 && eta <= 1, 'from 0 to 1')
  checkOption('lambda', lambda, lambda >= 0, 'from 0')
  checkOption('kStar', kStar, kStar >= 0, 'from 0')
  let weight = etaStart === 1 ? eta : 1
  let sum = 0
  for (const rank of ranks.filter((found) => found !== undefined).sort((a, b) => a - b)) {
    const reward = ninetieths(rank)
    if (reward === 0) continue
    sum += weight * (rank <= kStar ? reward + (90 * lambda) / Math.log2(rank + 1) : reward)
    weight *= eta
  }
  return sum / 90
}

/**
 * The format gate (eq. 5) of both stages. An answer that follows the grammar (the policy's `parseStrict`) earns its reward; any
 * other earns δ. A well-formed answer that finds nothing earns 0, which is more than δ.
 *
 * @param delta below 0. Default: −0.1, as in ConvSearch-R1: ACQO gives no value.
 * @example formatGate(false, 1.9) // -0.1
 * @throws QuerentError `bad-config` for a δ that is not below 0
 */
export function formatGate(
  wellFormed: boolean,
  reward: number,
  { delta = -0.1 }: { readonly delta?: number | undefined } = {},
): number {
  checkOption('delta', delta, delta < 0, 'below 0')
  return wellFormed ? reward : delta
}

/**
 * The reward S of every set of sub-queries, from one search of each sub-query. Bit i of the index says whether sub-query i is in
 * the set. Index 0, the empty set, has reward 0. All 255 sets of 8 sub-queries take less than a millisecond.
 *
 * @param searched the lists of each sub-query, one per retriever
 * @param golds docids of the relevant documents; repetitions count once
 * @example subsetRewards([[first], [second]], ['d1'])[0b11] // of both, fused
 * @throws QuerentError `bad-config` for a wrong option or more than 12 sub-queries
 */
export function subsetRewards(
  searched: readonly (readonly RankedList[])[],
  golds: readonly string[],
  { fusion, ...decay }: FusedReward = {},
): Float64Array {
  const wanted = [...new Set(golds)]
  const length = countSets(searched)
  const ranks = fusion === undefined ? subsetRanks(searched, wanted, depth) : []
  const ranksOf = (set: number): readonly (number | undefined)[] =>
    fusion === undefined
      ? [...ranks.slice(set * wanted.length, (set + 1) * wanted.length)]
      : ranksIn(searched.filter((_, index) => set & (1 << index)).flat(), wanted, fusion)
  return Float64Array.from({ length }, (_, set) => rewardOfRanks(ranksOf(set), decay))
}

/**
 * Stage I's reward (eq. 6) of every set: the best reward among its non-empty subsets. One pass over the sets prices every choice
 * among the sub-queries.
 *
 * @param rewards of `subsetRewards`
 * @returns the same indices; index 0 keeps the reward of the empty set, which no other index counts
 * @example subsetMaxima(Float64Array.of(0, 2, 0, 17 / 9))[0b11] // 2, of the first sub-query alone
 */
export function subsetMaxima(rewards: Float64Array): Float64Array {
  const maxima = rewards.slice()
  for (let bit = 1; bit < maxima.length; bit <<= 1) {
    for (let set = 1; set < maxima.length; set++) {
      if (set & bit && set !== bit) maxima[set] = Math.max(maxima[set]!, maxima[set ^ bit]!)
    }
  }
  return maxima
}

/**
 * Stage I (eq. 6): the best S over the non-empty sets of the sub-queries, in any order, from 0 to 2n for n documents; 0 without
 * sub-queries. It is never below Stage II's reward without a bonus, and a further sub-query never lowers it.
 *
 * Remove repeated sub-queries before searching, as a search does: a list that occurs twice votes twice, in both stages.
 *
 * @param searched as for `subsetRewards`
 * @param golds as for `subsetRewards`
 * @example One sub-query ranks the relevant document first, the other does not find it: 2, whatever their fusion gives.
 * @throws QuerentError `bad-config` for a wrong option or more than 12 sub-queries
 */
export const stageOneReward = (
  searched: readonly (readonly RankedList[])[],
  golds: readonly string[],
  options: FusedReward = {},
): number => subsetMaxima(subsetRewards(searched, golds, options)).at(-1)!

/**
 * Stage II (eq. 9 and 10): S of the fused lists of all sub-queries, plus the bonus for the first ranks if one is set. From 0 to
 * 2n for n documents, or to (2 + λ)n with a bonus.
 *
 * @param searched as for `subsetRewards`
 * @param golds as for `subsetRewards`
 * @example stageTwoReward([[first], [second]], ['d1'], acqoProfiles.topiocqa) // Φ′ of its rank in the fused list
 * @throws QuerentError `bad-config` for a wrong option
 */
export const stageTwoReward = (
  searched: readonly (readonly RankedList[])[],
  golds: readonly string[],
  { fusion = rankScore(), ...options }: FusedReward & Bonus = {},
): number => rewardOfRanks(ranksIn(searched.flat(), [...new Set(golds)], fusion), options)

function ranksIn(
  lists: readonly RankedList[],
  golds: readonly string[],
  fusion: Fusion,
): (number | undefined)[] {
  if (lists.length === 0) return []
  const ranks = new Map(fusion.fuse(lists, { k: depth, depth }).map(({ docid, rank }) => [docid, rank]))
  return golds.map((docid) => ranks.get(docid))
}

/**
 * τ (eq. 7): a query's mean Stage I reward over K rollouts of the policy that Stage I trained, from δ to 2n for n documents. A
 * low τ means a hard query.
 *
 * @param rewards of the rollouts, at least one; the paper's K is 8
 * @example difficulty([2, 2, 1, 1]) // 1.5
 */
export const difficulty = (rewards: readonly number[]): number => mean(rewards)

/** The queries from which Stage II learns. */
export interface ChallengeZone {
  /** τ_thres. Default: 5/3, as in the paper: rank 4 or worse for one relevant document. */
  readonly tauMax?: number
  /** Drops queries that are too hard. Default: −∞: eq. 8 has no lower bound, although the text mentions one. */
  readonly tauMin?: number
}

/** Both bounds with their defaults. @throws QuerentError `bad-config` for a `tauMin` above `tauMax` */
export function checkedZone({
  tauMax = 5 / 3,
  tauMin = Number.NEGATIVE_INFINITY,
}: ChallengeZone): Required<ChallengeZone> {
  checkOption('tauMin', tauMin, tauMin <= tauMax, `at most tauMax, ${tauMax}`)
  return { tauMax, tauMin }
}

/** Means closer than this are equal. Rewards are sums of doubles, and eight times 5/3 must still be at most 5/3. */
const closeness = 1e-9

/**
 * Whether Stage II keeps a query of this τ (eq. 8): tauMin ≤ τ ≤ tauMax. Ignores differences below a billionth.
 *
 * @example isChallenging(5 / 3) // true
 * @throws QuerentError `bad-config` for a `tauMin` above `tauMax`
 */
export function isChallenging(tau: number, zone: ChallengeZone = {}): boolean {
  const { tauMax, tauMin } = checkedZone(zone)
  return tau <= tauMax + closeness && tau >= tauMin - closeness
}
