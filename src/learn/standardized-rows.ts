/** Prepares training rows: their means and deviations, and one table of all rows, standardized. */
import { QuerentError } from '../errors.ts'
import { type Features, type Standard, standardize } from './forward-pass.ts'
import { rounded } from './network.ts'
import type { Rows } from './products.ts'

/** Rows × inputs, and the indices of the rows that are used. */
export interface Part {
  readonly features: Features
  readonly rows: Int32Array
}

/** An input counts as constant if its deviation is below this factor times its mean. A smaller deviation is noise or rounding. */
const minDeviation = 1e-5

/**
 * Computes the mean and the deviation of each input over all rows, and one table with the rows of each part. Deviations are
 * population standard deviations, and 1 for constant inputs. Means and deviations are rounded like a scorer's numbers before
 * use.
 *
 * @throws QuerentError `bad-config` for a feature that is not a finite number, with its name and row
 */
export function standardizeParts(
  parts: readonly Part[],
  inputs: readonly string[],
): Standard & { readonly tables: readonly Rows[] } {
  const width = inputs.length
  const total = parts.reduce((sum, { rows }) => sum + rows.length, 0)
  const sums = new Float64Array(width)
  for (const { features, rows } of parts)
    for (const row of rows)
      for (let input = 0; input < width; input++) sums[input]! += features[row * width + input]!
  // A sum is not finite if one of its features is not.
  if (!sums.every(Number.isFinite)) throwNotFinite(parts, inputs)
  const means = sums.map((sum) => sum / total)
  const squares = new Float64Array(width)
  for (const { features, rows } of parts)
    for (const row of rows)
      for (let input = 0; input < width; input++)
        squares[input]! += (features[row * width + input]! - means[input]!) ** 2
  const deviation = Array.from(squares, (square, input) => {
    const value = Math.sqrt(square / total)
    return value > minDeviation * Math.abs(means[input]!) ? rounded(value) : 1
  })
  const mean = Array.from(means, (value) => rounded(value))

  const table = new Float32Array(total * width)
  let first = 0
  const tables = parts.map(({ features, rows }): Rows => {
    const start = first
    for (const row of rows) standardize(features, row, { mean, deviation }, table, first++)
    return { table, first: start, count: rows.length }
  })
  return { mean, deviation, tables }
}

/** @throws QuerentError `bad-config` with the first feature that is not a finite number, if any */
function throwNotFinite(parts: readonly Part[], inputs: readonly string[]): void {
  for (const [part, { features, rows }] of parts.entries())
    for (const row of rows)
      for (const [input, name] of inputs.entries()) {
        const value = features[row * inputs.length + input]!
        if (!Number.isFinite(value))
          throw new QuerentError('bad-config', `Problem ${part}, row ${row}: ${name} is ${value}`, {
            remedy: 'Give finite features.',
          })
      }
}
