/**
 * Random numbers that are the same on every machine for the same seed. Nothing in Querent uses `Math.random`.
 *
 * The generator is sfc32 (Chris Doty-Humphrey, PractRand; public domain), seeded as in PractRand: a = 0, b and c are the low
 * and high half of the seed, the counter is 1, and the first twelve numbers are discarded. Do not use it for secrets.
 */
export interface Random {
  /** An integer from 0 to 2^32 − 1. */
  uint32(): number
  /** A number from 0 (included) to 1 (excluded), in steps of 2^-32. */
  float(): number
  /** An integer from 0 to `below` − 1, for `below` from 1 to 2^32. Its bias is below `below` / 2^32. */
  integer(below: number): number
}

/** Makes a generator. @param seed an integer; only its lowest 53 bits count */
export function createRandom(seed: number): Random {
  let [a, b, c, counter] = [0, seed | 0, Math.floor(seed / 2 ** 32) | 0, 1]

  function uint32(): number {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum >>> 0
  }

  for (let round = 0; round < 12; round++) uint32()
  const float = (): number => uint32() / 2 ** 32
  return { uint32, float, integer: (below) => Math.floor(float() * below) }
}

/**
 * Returns the numbers from 0 to `count` − 1 in random order (Fisher and Yates; Durstenfeld, 1964). All orders are equally
 * likely.
 */
export function permutation(count: number, random: Random): Int32Array {
  const order = Int32Array.from({ length: count }, (_, index) => index)
  for (let last = count - 1; last > 0; last--) {
    const other = random.integer(last + 1)
    const moved = order[last]!
    order[last] = order[other]!
    order[other] = moved
  }
  return order
}
