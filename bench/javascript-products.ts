/** The rival of `src/learn/products.ts`: the same products, and the same bits, by the fastest loops of JavaScript that we know. */
import type { Rows } from '../src/learn/products.ts'

/**
 * Multiplies every unit's weights with every row, two units and four rows at a time, so that each number that is read takes part
 * in more than one product.
 *
 * @param units an even number
 * @param rows a number of rows that four divides
 * @param into the products, unit by unit
 */
export function multiplyInJavaScript(
  weights: Float64Array,
  units: number,
  inputs: number,
  { table, first, count }: Rows,
  into: Float64Array,
): void {
  for (let unit = 0; unit < units; unit += 2) {
    const at = unit * inputs
    const nextAt = at + inputs
    for (let row = 0; row < count; row += 4) {
      const a = (first + row) * inputs
      const b = a + inputs
      const c = b + inputs
      const d = c + inputs
      let [sumA, sumB, sumC, sumD] = [0, 0, 0, 0]
      let [nextA, nextB, nextC, nextD] = [0, 0, 0, 0]
      for (let input = 0; input < inputs; input++) {
        const weight = weights[at + input]!
        const next = weights[nextAt + input]!
        const valueA = table[a + input]!
        const valueB = table[b + input]!
        const valueC = table[c + input]!
        const valueD = table[d + input]!
        sumA += weight * valueA
        sumB += weight * valueB
        sumC += weight * valueC
        sumD += weight * valueD
        nextA += next * valueA
        nextB += next * valueB
        nextC += next * valueC
        nextD += next * valueD
      }
      const place = unit * count + row
      into[place] = sumA
      into[place + 1] = sumB
      into[place + 2] = sumC
      into[place + 3] = sumD
      into[place + count] = nextA
      into[place + count + 1] = nextB
      into[place + count + 2] = nextC
      into[place + count + 3] = nextD
    }
  }
}
