import { describe, expect, it } from 'vitest'
import { scorerSchema } from '../../src/learn/scorer-schema.ts'

const scorer = {
  inputs: ['a', 'b'],
  mean: [1, 0],
  deviation: [2, 1],
  skip: [0.5, -1],
  hidden: [{ bias: -0.25, weights: [1, 1], out: 2 }],
}

describe('scorerSchema', () => {
  it('accepts a scorer read back from JSON', () => {
    expect(scorerSchema.parse(JSON.parse(JSON.stringify(scorer)))).toEqual(scorer)
  })

  it.each([
    ['a mean too few', { mean: [1] }, 'mean'],
    ['a deviation too many', { deviation: [2, 1, 1] }, 'deviation'],
    ['a deviation that is 0', { deviation: [2, 0] }, 'deviation.1'],
    ['a linear path that is cut', { skip: [] }, 'skip'],
    ['a number that is none', { skip: [0.5, null] }, 'skip.1'],
    ['a number without end', { skip: [0.5, Infinity] }, 'skip.1'],
    ['a unit that is cut', { hidden: [{ bias: 0, weights: [1], out: 2 }] }, 'hidden.0.weights'],
    ['an input twice', { inputs: ['a', 'a'] }, 'inputs'],
    ['no input', { inputs: [], mean: [], deviation: [], skip: [], hidden: [] }, 'inputs'],
    ['a word it does not know', { units: 1 }, ''],
  ])('refuses %s and says where', (_, change, where) => {
    const { error } = scorerSchema.safeParse({ ...scorer, ...change })
    expect(error!.issues.map(({ path }) => path.join('.'))).toContain(where)
  })
})
