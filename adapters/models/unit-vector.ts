import { QuerentError } from '../../src/errors.ts'

/**
 * Scales `values` to length 1, in double precision.
 *
 * @throws QuerentError `embed-failed` if a value is not a finite number, or if all values are 0.
 */
export function unitVector(values: ArrayLike<number>): Float32Array {
  let squares = 0
  for (let at = 0; at < values.length; at++) squares += values[at]! ** 2
  const length = Math.sqrt(squares)
  if (!(length > 0 && length < Infinity)) {
    throw new QuerentError(
      'embed-failed',
      `The model gave a vector of length ${length}, which cannot be scaled to 1`,
    )
  }
  return Float32Array.from(values, (value) => value / length)
}
