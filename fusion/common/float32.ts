/** Arithmetic of engines that keep scores as 32-bit floats: every step is rounded, so that scores are equal to the last digit. */
export const f32 = Math.fround

/** The sum in the order given, as those engines add. */
export const sum32 = (values: readonly number[]): number =>
  values.reduce((total, value) => f32(total + value), 0)
