/**
 * Tests whether a difference between two systems on the same queries may be chance.
 *
 * The test is Fisher's paired randomization test, which Smucker, Allan and Carterette (CIKM 2007) recommend for retrieval:
 * if the systems were equal, each query's difference could as well have the opposite sign. Holm's method (Scandinavian
 * Journal of Statistics 6, 1979) corrects for multiple comparisons. Intervals are percentile bootstraps over queries (Efron,
 * 1979; for retrieval Sakai, SIGIR 2006).
 *
 * Values are arrays with one value per query. Both systems have the same queries in the same order. The same values and seed
 * give the same result.
 */
import { QuerentError } from '../errors.ts'
import { createRandom } from '../learn/random.ts'
import { mean, quantile } from '../learn/statistics.ts'

export interface RandomizationOptions {
  /** Number of random sign assignments if there are too many to try all. Default: 10,000. */
  readonly rounds?: number
  /** Default: 1. */
  readonly seed?: number
}

export interface RandomizationResult {
  /** The mean of `a` − `b`. */
  readonly difference: number
  /** Two-sided p-value, above 0. 1 if no query differs. */
  readonly p: number
  /** Whether all sign assignments were tried, which makes `p` exact. */
  readonly exact: boolean
  /** Number of sign assignments tried. */
  readonly rounds: number
}

/** Up to this many differing queries, all 2^n assignments are tried. */
const exactUpTo = 20

/**
 * The two-sided paired randomization test on the mean difference. Queries without a difference do not affect the result and
 * are skipped. With up to 20 differing queries the test is exact. With more, `p = (1 + as extreme) / (1 + rounds)`; the 1 is
 * the observed assignment (Davison and Hinkley, 1997, eq. 4.11).
 *
 * @throws QuerentError `bad-config` if the arrays are empty or differ in length, or if there is less than one round
 */
export function randomizationTest(
  a: readonly number[],
  b: readonly number[],
  { rounds = 10_000, seed = 1 }: RandomizationOptions = {},
): RandomizationResult {
  const all = differences(a, b)
  checkRounds(rounds)
  const difference = mean(all)
  const sizes = all.filter((value) => value !== 0).map(Math.abs)
  const observed = Math.abs(all.reduce((sum, value) => sum + value, 0))
  // Summing the same numbers in another order changes the last bits. Such sums must count as equal.
  const threshold = observed - 1e-12 * sizes.reduce((sum, size) => sum + size, 0)
  if (sizes.length <= exactUpTo) {
    const assignments = 2 ** sizes.length
    return { difference, p: countExtreme(sizes, threshold) / assignments, exact: true, rounds: assignments }
  }
  const random = createRandom(seed)
  let extreme = 0
  for (let round = 0; round < rounds; round++) {
    let sum = 0
    let signs = 0
    for (let index = 0; index < sizes.length; index++) {
      if (index % 32 === 0) signs = random.uint32()
      sum += (signs & 1) === 1 ? sizes[index]! : -sizes[index]!
      signs >>>= 1
    }
    if (Math.abs(sum) >= threshold) extreme++
  }
  return { difference, p: (1 + extreme) / (1 + rounds), exact: false, rounds }
}

/** Number of sign assignments whose sum is at least `threshold` away from 0. */
function countExtreme(sizes: readonly number[], threshold: number, index = 0, sum = 0): number {
  const size = sizes[index]
  if (size === undefined) return Math.abs(sum) >= threshold ? 1 : 0
  return (
    countExtreme(sizes, threshold, index + 1, sum + size) +
    countExtreme(sizes, threshold, index + 1, sum - size)
  )
}

/**
 * Holm's step-down correction. Returns the p-values in the given order, raised so that one significance level applies to all
 * of them. The i-th smallest of m becomes the largest of (m − j + 1) · p_j over j ≤ i, at most 1.
 */
export function holm(pValues: readonly number[]): number[] {
  const ascending = pValues.map((p, index) => ({ p, index })).sort((x, y) => x.p - y.p)
  const corrected = new Array<number>(pValues.length)
  let largest = 0
  for (const [position, { p, index }] of ascending.entries()) {
    largest = Math.max(largest, Math.min(1, (pValues.length - position) * p))
    corrected[index] = largest
  }
  return corrected
}

export interface BootstrapOptions {
  /** Number of samples. Default: 10,000. */
  readonly rounds?: number
  /** Default: 1. */
  readonly seed?: number
  /** The share of the distribution inside the interval, between 0 and 1. Default: 0.95. */
  readonly confidence?: number
}

export interface Interval {
  readonly mean: number
  readonly low: number
  readonly high: number
}

/**
 * The mean of values, one per query, with its percentile bootstrap interval.
 *
 * @throws QuerentError `bad-config` if there are no values, less than one round, or the confidence is not between 0 and 1
 */
export function bootstrapMean(
  values: readonly number[],
  { rounds = 10_000, seed = 1, confidence = 0.95 }: BootstrapOptions = {},
): Interval {
  checkNotEmpty(values)
  checkRounds(rounds)
  if (!(confidence > 0 && confidence < 1)) {
    throw new QuerentError('bad-config', `The confidence of an interval is ${confidence}`, {
      remedy: 'Use a number between 0 and 1, such as 0.95.',
    })
  }
  const random = createRandom(seed)
  const means = new Float64Array(rounds)
  for (let round = 0; round < rounds; round++) {
    let sum = 0
    for (let draw = 0; draw < values.length; draw++) sum += values[random.integer(values.length)]!
    means[round] = sum / values.length
  }
  means.sort()
  const tail = (1 - confidence) / 2
  return { mean: mean(values), low: quantile(means, tail), high: quantile(means, 1 - tail) }
}

/**
 * The mean of `a` − `b` with its paired percentile bootstrap interval. It resamples queries, so both systems are always
 * compared on the same ones.
 *
 * @throws QuerentError `bad-config` as `randomizationTest` and `bootstrapMean` do
 */
export function bootstrapDifference(
  a: readonly number[],
  b: readonly number[],
  options: BootstrapOptions = {},
): Interval {
  return bootstrapMean(differences(a, b), options)
}

function differences(a: readonly number[], b: readonly number[]): number[] {
  if (a.length !== b.length) {
    throw new QuerentError('bad-config', `Two systems are compared on ${a.length} and ${b.length} values`, {
      remedy: 'Give one value a query, of the same queries in the same order.',
    })
  }
  checkNotEmpty(a)
  return a.map((value, index) => value - b[index]!)
}

function checkNotEmpty(values: readonly number[]): void {
  if (values.length > 0) return
  throw new QuerentError('bad-config', 'There are no values to compare', {
    remedy: 'Give one value a query.',
  })
}

function checkRounds(rounds: number): void {
  if (Number.isSafeInteger(rounds) && rounds >= 1) return
  throw new QuerentError('bad-config', `The number of rounds is ${rounds}`, {
    remedy: 'Use a whole number from 1.',
  })
}
