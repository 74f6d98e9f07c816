/** Which vectors can be compared: those of finite numbers and of length 1. Zeros are near nothing. */
import { QuerentError } from '../../src/errors.ts'

/** Whether the vector has the length 1, or is all zeros. */
function isComparable(vector: Float32Array): boolean {
  const square = squareOf(vector)
  return square === 0 || Math.abs(square - 1) < 0.01
}

/**
 * @param from the name of the embedder, if it is known
 * @throws QuerentError `embed-failed` for a vector that cannot be compared with those of an index
 */
export function checkVector(vector: Float32Array, dimensions: number, from?: string): void {
  const what = from === undefined ? 'A vector' : `A vector of the embedder ${from}`
  if (vector.length !== dimensions) {
    throw new QuerentError(
      'embed-failed',
      `${what} has ${vector.length} dimensions where the index has ${dimensions}`,
    )
  }
  if (isComparable(vector)) return
  throw new QuerentError('embed-failed', `${what} has the length ${Math.sqrt(squareOf(vector))}, not 1`, {
    remedy: 'Embedders must give unit-length vectors of finite numbers.',
  })
}

function squareOf(vector: Float32Array): number {
  let square = 0
  for (const value of vector) square += value * value
  return square
}
