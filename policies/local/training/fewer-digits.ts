/** Fewer digits for a policy's file, once all of it has learned: networks learn from each other's scores, which rounding changes. */

/**
 * The sections with the weights of each hidden unit, which are most of a file, rounded to the place of the third digit of its largest
 * one. Inputs have one scale, so that weights below a thousandth of the largest say nothing.
 */
export const withFewerDigits = <Sections extends object>(sections: Sections): Sections =>
  JSON.parse(JSON.stringify(sections), (key, value) => (key === 'hidden' ? value.map(shortened) : value))

interface Unit {
  readonly weights: readonly number[]
}

function shortened(unit: Unit): Unit {
  const largest = unit.weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0)
  // As it will be written: 9.996 is 10.0, so that shortening twice is shortening once.
  const digit = largest === 0 ? 0 : Math.floor(Math.log10(Number(largest.toPrecision(3))))
  const places = Math.min(100, Math.max(0, 2 - digit))
  return { ...unit, weights: unit.weights.map((weight) => Number(weight.toFixed(places)) + 0) }
}
