/**
 * Random numbers that are the same on every machine for the same seed. Nothing in Querent uses `Math.random`.
 *
 * The generator is sfc32 (Chris Doty-Humphrey, PractRand; public domain), seeded as PractRand seeds it: a = 0, b and c the
 * low and high half of the seed, counter 1, and twelve numbers thrown away. Not for secrets.
 */
export interface Random {
  /** A whole number from 0 to 2^32 − 1. */
  uint32(): number
  /** A number from 0 (included) to 1 (excluded), in steps of 2^-32. */
  float(): number
  /** A whole number from 0 to `below` − 1, for `below` from 1 to 2^32. Its bias is below `below` / 2^32. */
  integer(below: number): number
}

/** A generator for `seed`, a whole number; of larger ones the lowest 53 bits count. */
export function createRandom(seed: number): Random {
  let a = 0
  let b = seed >>> 0
  let c = Math.floor(seed / 2 ** 32) >>> 0
  let counter = 1

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
