/**
 * Sums of reciprocals of ranks, exactly.
 *
 * Doubles lie about ties: 1/2 + 1/3 + 1/6 is 0.9999999999999999 and not 1, 1 + 1/2 + 1/6 differs from 1 + 1/3 + 1/3, and a
 * sum depends on its order. As fractions of whole numbers they do not.
 *
 * Ranks stand in rows of `width`, one row a document. They count from 1, and 0 means absent.
 */

export interface ReciprocalSums {
  readonly sums: readonly number[]
  /** Whether the sums compare as the fractions do. If not, `compareReciprocalSums` must decide between close ones. */
  readonly exact: boolean
}

/**
 * Σ 1/rank of every row: the fraction, rounded once, so that equal sums give equal doubles whatever the order of the ranks.
 * Fractions too long for a double are summed from the smallest rank on.
 *
 * Different fractions a/b and c/d are at least 1/bd apart, and rounding moves each by at most 2^-53 of itself. So doubles
 * compare exactly while b² times the largest sum stays below 2^52, b being the longest denominator.
 */
export function reciprocalSums(ranks: Int32Array, width: number, rows: number): ReciprocalSums {
  const sums: number[] = []
  let longest = 1
  let largest = 0
  for (let start = 0; start < rows * width; start += width) {
    let numerator = 0
    let denominator = 1
    for (let place = start; place < start + width; place++) {
      const rank = ranks[place]!
      if (rank === 0) continue
      numerator = numerator * rank + denominator
      denominator *= rank
    }
    const whole = denominator <= Number.MAX_SAFE_INTEGER / width
    const sum = whole ? numerator / denominator : sumInOrder(rowOf(ranks, start, width))
    if (denominator > longest) longest = denominator
    if (sum > largest) largest = sum
    sums.push(sum)
  }
  return { sums, exact: longest ** 2 * largest < 2 ** 52 }
}

/** Whether Σ 1/rank of the row at `a` is larger (positive), smaller (negative) or equal (0) to that of the row at `b`. */
export function compareReciprocalSums(ranks: Int32Array, a: number, b: number, width: number): number {
  let numeratorA = 0
  let denominatorA = 1
  let numeratorB = 0
  let denominatorB = 1
  for (let list = 0; list < width; list++) {
    const rankA = ranks[a + list]!
    const rankB = ranks[b + list]!
    if (rankA !== 0) {
      numeratorA = numeratorA * rankA + denominatorA
      denominatorA *= rankA
    }
    if (rankB !== 0) {
      numeratorB = numeratorB * rankB + denominatorB
      denominatorB *= rankB
    }
  }
  const left = numeratorA * denominatorB
  const right = numeratorB * denominatorA
  if (left <= Number.MAX_SAFE_INTEGER && right <= Number.MAX_SAFE_INTEGER) return left - right
  return compareExactly(rowOf(ranks, a, width), rowOf(ranks, b, width))
}

const rowOf = (ranks: Int32Array, start: number, width: number): Int32Array =>
  ranks.subarray(start, start + width).filter((rank) => rank !== 0)

const sumInOrder = (ranks: Int32Array): number => ranks.sort().reduce((sum, rank) => sum + 1 / rank, 0)

function compareExactly(a: Int32Array, b: Int32Array): number {
  const [numeratorA, denominatorA] = exactly(a)
  const [numeratorB, denominatorB] = exactly(b)
  const difference = numeratorA * denominatorB - numeratorB * denominatorA
  return difference > 0n ? 1 : difference < 0n ? -1 : 0
}

function exactly(ranks: Int32Array): readonly [numerator: bigint, denominator: bigint] {
  let numerator = 0n
  let denominator = 1n
  for (const rank of ranks) {
    numerator = numerator * BigInt(rank) + denominator
    denominator *= BigInt(rank)
  }
  return [numerator, denominator]
}
