/** Whether one of two systems wins more queries than the other, where ties are left out (Dixon and Mood, JASA 1946). Exact. */

/** @returns the two-sided p-value: twice the chance that a coin decides so many queries for the winner, at most 1 */
export const signTest = (wins: number, losses: number): number =>
  Math.min(1, 2 * chanceOfAtLeast(Math.max(wins, losses), wins + losses, 0.5))

/**
 * The interval of the true share of wins (Clopper and Pearson, Biometrika 1934). It leaves out one half exactly where the sign test has
 * a p-value below 1 − `confidence`. Without a decided query: everything.
 */
export function shareInterval(
  wins: number,
  losses: number,
  confidence = 0.95,
): { readonly low: number; readonly high: number } {
  const tail = (1 - confidence) / 2
  const n = wins + losses
  const low = (count: number): number =>
    count === 0 ? 0 : rising((share) => chanceOfAtLeast(count, n, share), tail)
  return { low: low(wins), high: 1 - low(losses) }
}

/**
 * How many decided queries a two-sided sign test needs, to find a true share of wins with a power of 0.8 at a level of 0.05: the normal
 * approximation with its correction for continuity (Fleiss, Levin and Paik, 2003, section 2.4). Infinite for a half.
 */
export function queriesNeeded(share: number): number {
  const distance = Math.abs(share - 0.5)
  if (distance === 0) return Number.POSITIVE_INFINITY
  const [level, power] = [1.959964, 0.841621]
  const plain = ((level / 2 + power * Math.sqrt(share * (1 - share))) / distance) ** 2
  return Math.ceil((plain / 4) * (1 + Math.sqrt(1 + 2 / (plain * distance))) ** 2)
}

/** The chance of `count` or more wins of `n`, each with the chance `share`. */
export function chanceOfAtLeast(count: number, n: number, share: number): number {
  if (count <= 0 || share === 1) return 1
  if (share === 0 || count > n) return 0
  let log = count * Math.log(share) + (n - count) * Math.log1p(-share)
  for (let place = 1; place <= count; place++) log += Math.log((n - count + place) / place)
  let [term, sum] = [Math.exp(log), 0]
  for (let wins = count; wins <= n; wins++) {
    sum += term
    term *= ((n - wins) / (wins + 1)) * (share / (1 - share))
  }
  return Math.min(1, sum)
}

/** Where a function that rises from 0 to 1 between 0 and 1 has this value. */
function rising(of: (share: number) => number, value: number): number {
  let [low, high] = [0, 1]
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2
    if (of(middle) < value) low = middle
    else high = middle
  }
  return (low + high) / 2
}
