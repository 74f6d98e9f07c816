/**
 * Sums of reciprocals of ranks, exactly.
 *
 * Doubles lie about ties: 1/2 + 1/3 + 1/6 is 0.9999999999999999 and not 1, 1 + 1/2 + 1/6 differs from 1 + 1/3 + 1/3, and a
 * sum depends on its order. As fractions of whole numbers they do not.
 */

/** The ranks of one document, from 1, as a linked list. */
export interface Ranks {
  readonly rank: number
  readonly next: Ranks | undefined
}

export interface ReciprocalSums {
  /** Σ 1/rank of each document. */
  readonly sums: readonly number[]
  /** 1 / Σ 1/rank of each document. */
  readonly inverses: readonly number[]
  /** Whether the sums compare as the fractions do. If not, `compareReciprocalSums` must decide between close ones. */
  readonly exact: boolean
}

/**
 * Σ 1/rank of every document: the fraction, rounded once, so that equal sums give equal doubles whatever the order of the
 * ranks. Fractions too long for a double are summed from the smallest rank on.
 *
 * Different fractions a/b and c/d are at least 1/bd apart, and rounding moves each by at most 2^-53 of itself. So doubles
 * compare exactly while b² times the largest sum stays below 2^52, b being the longest denominator.
 */
export function reciprocalSums(documents: readonly Ranks[]): ReciprocalSums {
  const { length } = documents
  const sums = new Array<number>(length)
  const inverses = new Array<number>(length)
  let longest = 1
  let largest = 0
  for (let index = 0; index < length; index++) {
    const first = documents[index]!
    let numerator = 1
    let denominator = first.rank
    for (let next = first.next; next !== undefined; next = next.next) {
      numerator = numerator * next.rank + denominator
      denominator *= next.rank
    }
    const whole = numerator <= Number.MAX_SAFE_INTEGER && denominator <= Number.MAX_SAFE_INTEGER
    const sum = whole ? numerator / denominator : sumInOrder(first)
    if (denominator > longest) longest = denominator
    if (sum > largest) largest = sum
    sums[index] = sum
    inverses[index] = 1 / sum
  }
  return { sums, inverses, exact: longest ** 2 * largest < 2 ** 52 }
}

/** Whether Σ 1/rank of `a` is larger (positive), smaller (negative) or equal (0) to that of `b`. */
export function compareReciprocalSums(a: Ranks, b: Ranks): number {
  const [numeratorA, denominatorA] = fractionOf(a)
  const [numeratorB, denominatorB] = fractionOf(b)
  const left = numeratorA * denominatorB
  const right = numeratorB * denominatorA
  if (left <= Number.MAX_SAFE_INTEGER && right <= Number.MAX_SAFE_INTEGER) return left - right
  return compareExactly(a, b)
}

/** Exact while both are safe integers. */
function fractionOf(first: Ranks): readonly [numerator: number, denominator: number] {
  let numerator = 1
  let denominator = first.rank
  for (let next = first.next; next !== undefined; next = next.next) {
    numerator = numerator * next.rank + denominator
    denominator *= next.rank
  }
  return [numerator, denominator]
}

function compareExactly(a: Ranks, b: Ranks): number {
  const [numeratorA, denominatorA] = exactFractionOf(a)
  const [numeratorB, denominatorB] = exactFractionOf(b)
  const difference = numeratorA * denominatorB - numeratorB * denominatorA
  return difference > 0n ? 1 : difference < 0n ? -1 : 0
}

function exactFractionOf(first: Ranks): readonly [numerator: bigint, denominator: bigint] {
  let numerator = 0n
  let denominator = 1n
  for (const rank of ranksOf(first)) {
    numerator = numerator * BigInt(rank) + denominator
    denominator *= BigInt(rank)
  }
  return [numerator, denominator]
}

const sumInOrder = (first: Ranks): number =>
  ranksOf(first)
    .sort((a, b) => a - b)
    .reduce((sum, rank) => sum + 1 / rank, 0)

function ranksOf(first: Ranks): number[] {
  const ranks: number[] = []
  for (let next: Ranks | undefined = first; next !== undefined; next = next.next) ranks.push(next.rank)
  return ranks
}
