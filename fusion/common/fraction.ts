/**
 * Exact sums of reciprocals of ranks.
 *
 * Doubles break ties: 1/2 + 1/3 + 1/6 is 0.9999999999999999 instead of 1, 1 + 1/2 + 1/6 differs from 1 + 1/3 + 1/3, and a sum
 * depends on its order. Fractions of integers are exact.
 */

/** The ranks of one document, from 1: at least one. */
export type Ranks = readonly [{ readonly rank: number }, ...{ readonly rank: number }[]]

export interface ReciprocalSums {
  /** Σ 1/rank of each document. */
  readonly sums: readonly number[]
  /** Whether the sums compare as the fractions do. If not, `compareReciprocalSums` must decide between close ones. */
  readonly isExact: boolean
}

/**
 * Σ 1/rank of every document. Each fraction is rounded once, so that equal sums give equal doubles for every order of the
 * ranks. If a fraction is too long for a double, its ranks are added from the smallest up.
 *
 * Different fractions a/b and c/d are at least 1/bd apart, and rounding moves each by at most 2^-53 of itself. So doubles
 * compare exactly while b² times the largest sum is below 2^52, b being the largest denominator.
 */
export function reciprocalSums(documents: readonly Ranks[]): ReciprocalSums {
  let maxDenominator = 1
  let maxSum = 0
  const sums = documents.map((ranks) => {
    const [numerator, denominator] = fractionOf(ranks)
    const isWhole = numerator <= Number.MAX_SAFE_INTEGER && denominator <= Number.MAX_SAFE_INTEGER
    const sum = isWhole ? numerator / denominator : sumInOrder(ranks)
    if (denominator > maxDenominator) maxDenominator = denominator
    if (sum > maxSum) maxSum = sum
    return sum
  })
  return { sums, isExact: maxDenominator ** 2 * maxSum < 2 ** 52 }
}

/** Whether Σ 1/rank of `a` is larger than (positive), smaller than (negative) or equal to (0) that of `b`. */
export function compareReciprocalSums(a: Ranks, b: Ranks): number {
  const [numeratorA, denominatorA] = fractionOf(a)
  const [numeratorB, denominatorB] = fractionOf(b)
  const left = numeratorA * denominatorB
  const right = numeratorB * denominatorA
  if (left <= Number.MAX_SAFE_INTEGER && right <= Number.MAX_SAFE_INTEGER) return left - right
  return compareExactly(a, b)
}

/** Exact while both are safe integers. */
function fractionOf(ranks: Ranks): readonly [numerator: number, denominator: number] {
  let numerator = 0
  let denominator = 1
  for (const { rank } of ranks) {
    numerator = numerator * rank + denominator
    denominator *= rank
  }
  return [numerator, denominator]
}

/** With BigInt, which makes an order of 8 lists take twice as long: only for fractions that are too long for doubles. */
function compareExactly(a: Ranks, b: Ranks): number {
  const [numeratorA, denominatorA] = exactFractionOf(a)
  const [numeratorB, denominatorB] = exactFractionOf(b)
  const difference = numeratorA * denominatorB - numeratorB * denominatorA
  return difference > 0n ? 1 : difference < 0n ? -1 : 0
}

function exactFractionOf(ranks: Ranks): readonly [numerator: bigint, denominator: bigint] {
  let numerator = 0n
  let denominator = 1n
  for (const { rank } of ranks) {
    numerator = numerator * BigInt(rank) + denominator
    denominator *= BigInt(rank)
  }
  return [numerator, denominator]
}

const sumInOrder = (ranks: Ranks): number =>
  ranks
    .map(({ rank }) => rank)
    .sort((a, b) => a - b)
    .reduce((sum, rank) => sum + 1 / rank, 0)
