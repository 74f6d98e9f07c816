import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addChosenRows, multiplyRows, type Rows } from '../../src/learn/products.ts'

const number = fc.double({ min: -9, max: 9, noNaN: true })
const count = fc.integer({ min: 1, max: 11 })

/** Weights of all units, and rows that stand in the middle of a table. */
const problem = fc
  .record({ units: count, inputs: count, rows: fc.nat(11), first: fc.nat(2) })
  .chain(({ units, inputs, rows, first }) =>
    fc.record({
      units: fc.constant(units),
      inputs: fc.constant(inputs),
      weights: numbers(units * inputs).map((drawn) => Float64Array.from(drawn)),
      rows: numbers((first + rows + 1) * inputs).map((drawn): Rows => {
        return { table: Float32Array.from(drawn), first, count: rows }
      }),
    }),
  )

const numbers = (length: number): fc.Arbitrary<number[]> =>
  fc.array(number, { minLength: length, maxLength: length })

describe('multiplyRows', () => {
  it('has the bits of a loop over the inputs, for any numbers of units, inputs and rows', () => {
    fc.assert(
      fc.property(problem, ({ weights, units, inputs, rows }) => {
        const { values, stride } = multiplyRows(weights, units, inputs, rows)
        for (let unit = 0; unit < units; unit++)
          for (let row = 0; row < rows.count; row++) {
            let sum = 0
            for (let input = 0; input < inputs; input++)
              sum += weights[unit * inputs + input]! * rows.table[(rows.first + row) * inputs + input]!
            expect(values[unit * stride + row]).toBe(sum)
          }
      }),
    )
  })

  it('grows its memory: 3,000 rows of 100 inputs', () => {
    const weights = new Float64Array(2 * 100).fill(1, 100)
    const rows = { table: new Float32Array(3_000 * 100).fill(0.5), first: 0, count: 3_000 }
    const { values, stride } = multiplyRows(weights, 2, 100, rows)
    expect(values.subarray(0, 3_000).every((value) => value === 0)).toBe(true)
    expect(values.subarray(stride, stride + 3_000).every((value) => value === 50)).toBe(true)
  })
})

describe('addChosenRows', () => {
  it('has the bits of a loop that takes four rows at a time', () => {
    const chosen = fc.array(fc.tuple(fc.nat(), number), { maxLength: 11 })
    fc.assert(
      fc.property(problem, fc.array(chosen, { minLength: 11, maxLength: 11 }), (drawn, picks) => {
        const { weights, units, inputs, rows } = drawn
        // No unit can choose more rows than there are.
        const choices = picks.map((one) =>
          one.slice(0, rows.count).map(([at, factor]) => ({ row: at % rows.count, factor })),
        )
        const expected = Array.from({ length: units }, (_, unit) =>
          Array.from({ length: inputs }, (_, input) =>
            summed(weights[unit * inputs + input]!, choices[unit]!, (row) => {
              return rows.table[(rows.first + row) * inputs + input]!
            }),
          ),
        )
        addChosenRows(weights, units, inputs, rows, (unit, indices, factors) => {
          for (const [at, { row, factor }] of choices[unit]!.entries()) {
            indices[at] = row
            factors[at] = factor
          }
          return choices[unit]!.length
        })
        expect([...weights]).toEqual(expected.flat())
      }),
    )
  })
})

function summed(
  start: number,
  choices: readonly { readonly row: number; readonly factor: number }[],
  inputOf: (row: number) => number,
): number {
  const products = choices.map(({ row, factor }) => factor * inputOf(row))
  let sum = start
  const inFours = products.length - (products.length % 4)
  for (let at = 0; at < inFours; at += 4)
    sum += products[at]! + products[at + 1]! + products[at + 2]! + products[at + 3]!
  for (const product of products.slice(inFours)) sum += product
  return sum
}
