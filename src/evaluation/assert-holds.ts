/** The gate for tests: a matcher for vitest and jest, and an assertion for `node:test` and every other runner. */
import { AssertionError } from 'node:assert'
import type { Measured } from './baseline.ts'
import { checkRows, checksOf, failuresOf, type Limits } from './gate.ts'

/**
 * A matcher: `expect.extend({ toHold })`, then `expect(evaluation).toHold({ baseline, atLeast: { 'ndcg@10': 0.42 } })`. Its message
 * names the metrics that are too low, and the queries that did it.
 *
 * @throws QuerentError as `checksOf` does
 */
export function toHold(
  evaluation: Measured,
  limits: Limits,
): { readonly pass: boolean; readonly message: () => string } {
  const checks = checksOf(evaluation, limits)
  const failures = failuresOf(checks)
  const rows = checkRows(checks).map((row) =>
    row.map((cell) => (typeof cell === 'string' ? cell : cell.shown)).join('  '),
  )
  const lines = failures.length > 0 ? [...failures, '', ...rows] : ['Every metric holds', ...rows]
  return { pass: failures.length === 0, message: () => lines.join('\n') }
}

/**
 * Throws an `AssertionError` with the message of `toHold` if a metric is too low.
 *
 * @throws AssertionError; QuerentError as `checksOf` does
 */
export function assertHolds(evaluation: Measured, limits: Limits): void {
  const { pass, message } = toHold(evaluation, limits)
  if (!pass) throw new AssertionError({ message: message(), stackStartFn: assertHolds })
}
