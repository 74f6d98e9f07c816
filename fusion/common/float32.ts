/** The arithmetic of engines with 32-bit scores: rounding after every step makes scores equal to theirs to the last digit. */
export const f32 = Math.fround

/** The sum, added in the order of the values. */
export const sum32 = (values: readonly number[]): number =>
  values.reduce((total, value) => f32(total + value), 0)
