import { quantile } from '../src/learn/statistics.ts'

/** Three digits: more would be noise. */
export const rounded = (value: number): number => Number(value.toPrecision(3))

/** Milliseconds as microseconds. */
export const microseconds = (ms: number): number => rounded(1000 * ms)

/** Of values in any order: the value that this part of them, from 0 to 1, does not exceed. */
export const percentile = (values: Iterable<number>, part: number): number =>
  quantile(Float64Array.from(values).sort(), part)

export const median = (values: Iterable<number>): number => percentile(values, 0.5)
