/**
 * How far judges agree beyond chance: 1 is full agreement, 0 what chance would give, below 0 less than that. `undefined` if nothing
 * was judged twice, or all grades are the same.
 */

/**
 * The agreement of two judges, to whom all differences are alike (Cohen, Educational and Psychological Measurement 20, 1960):
 * κ = (p_o − p_e) / (1 − p_e), of the share of equal grades, and the share expected from how often each judge gives which.
 *
 * @param pairs for each document the grades of both judges
 */
export function cohensKappa(pairs: readonly (readonly [number, number])[]): number | undefined {
  const [first, second] = [tally(pairs.map(([one]) => one)), tally(pairs.map(([, other]) => other))]
  const observed = pairs.filter(([one, other]) => one === other).length * pairs.length
  const expected = sum(first, ([grade, count]) => count * (second.get(grade) ?? 0))
  const all = pairs.length ** 2
  return expected === all ? undefined : (observed - expected) / (all - expected)
}

/**
 * The agreement of any number of judges on ordered grades (Krippendorff, Content Analysis, 3rd edition, 2013, chapter 12):
 * α = 1 − D_o / D_e. A difference weighs the square of how many grades lie from the one to the other, half of those at both ends.
 *
 * @param units for each document the grades that it was given. With fewer than two it does not count
 */
export function krippendorffsAlpha(units: readonly (readonly number[])[]): number | undefined {
  const compared = units.filter((grades) => grades.length > 1)
  const counts = tally(compared.flat())
  const difference = (one: number, other: number): number => {
    const [low, high] = [Math.min(one, other), Math.max(one, other)]
    const between = sum(counts, ([grade, count]) => (low <= grade && grade <= high ? count : 0))
    return (between - (counts.get(one)! + counts.get(other)!) / 2) ** 2
  }
  const observed = sum(
    compared,
    (unit) => sum(unit, (one) => sum(unit, (other) => difference(one, other))) / (unit.length - 1),
  )
  const expected = sum(counts, ([one, count]) =>
    sum(counts, ([other, others]) => count * others * difference(one, other)),
  )
  const total = sum(counts, ([, count]) => count)
  return expected === 0 ? undefined : 1 - ((total - 1) * observed) / expected
}

function tally(grades: readonly number[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const grade of grades) counts.set(grade, (counts.get(grade) ?? 0) + 1)
  return counts
}

const sum = <Item>(items: Iterable<Item>, of: (item: Item) => number): number =>
  [...items].reduce((all, item) => all + of(item), 0)
