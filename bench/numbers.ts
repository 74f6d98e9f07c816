/** Three digits: more would be noise. */
export const rounded = (value: number): number => Number(value.toPrecision(3))

/** Milliseconds as microseconds. */
export const microseconds = (ms: number): number => rounded(1000 * ms)
