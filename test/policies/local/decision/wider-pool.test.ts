import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { searchesOf, widerSubQueries } from '../../../../policies/local/decision/wider-pool.ts'
import { searchKey } from '../../../../src/dedupe.ts'
import type { SearchText } from '../../../../src/policy.ts'
import { planOf } from '../../../support/prepared.ts'

it('searchesOf() has the texts of a plan in their order, and from which documents they are', () => {
  const texts = [{ text: 'one' }, { text: 'two', from: 'a' }]
  expect(searchesOf(planOf('parts', texts))).toEqual(texts)
  expect(searchesOf(undefined)).toEqual([])
})

describe('widerSubQueries', () => {
  const text = fc.constantFrom(
    'a',
    'A',
    'b',
    'c d',
    'c  D',
    'e',
    '',
    ' ',
    'f',
    'g',
    'h',
    'i',
    'j',
    'k',
    'l',
    'm',
    'n',
    'o',
  )
  const chosen = fc
    .tuple(fc.array(text, { maxLength: 3 }), fc.array(text, { maxLength: 12 }))
    .map(([first, second]): SearchText[] => [
      ...first.map((one) => ({ text: one })),
      ...second.map((one) => ({ text: one, from: 'd' })),
    ])
  const bridge = fc.record({ name: text, unanswered: text }).map(({ name, unanswered }) => ({
    name,
    unanswered,
    seed: 'd',
    score: 0,
  }))

  it('never has more than 3 and 12 with those that were chosen, and none twice', () => {
    fc.assert(
      fc.property(
        chosen,
        fc.array(text, { maxLength: 6 }),
        fc.array(bridge, { maxLength: 20 }),
        fc.integer({ min: 0, max: 12 }),
        (before, found, bridges, most) => {
          const stage = { names: found, bridges, query: new Float32Array(), evidence: new Float32Array() }
          const wider = widerSubQueries(stage, before, most)
          const count = (all: readonly SearchText[], wanted: 1 | 2): number =>
            all.filter(({ from }) => (from === undefined ? 1 : 2) === wanted).length
          expect(count(before, 1) + count(wider, 1)).toBeLessThanOrEqual(3)
          expect(count(wider, 2)).toBeLessThanOrEqual(Math.max(0, most - count(before, 2)))
          const keys = wider.map((one) => searchKey(one.text))
          expect(new Set(keys).size).toBe(keys.length)
          for (const one of before) expect(keys).not.toContain(searchKey(one.text))
          expect(keys).not.toContain('')
        },
      ),
    )
  })

  it('fills the room: names of the question, then bridges', () => {
    const bridges = Array.from({ length: 15 }, (_, index) => ({
      name: `b${index}`,
      unanswered: 'rest',
      seed: `d${index}`,
      score: 0,
    }))
    const stage = {
      names: ['n1', 'n2', 'n3'],
      bridges,
      query: new Float32Array(),
      evidence: new Float32Array(),
    }
    const chosen: SearchText[] = [{ text: 'keywords' }, { text: 'b1', from: 'd1' }]
    const wider = widerSubQueries(stage, chosen, 12)
    expect(wider.map(({ text: one }) => one)).toEqual([
      ...['n1', 'n2'],
      ...['b0', 'b2', 'b3', 'b4', 'b5', 'b6', 'b7', 'b8', 'b9', 'b10', 'b11'],
    ])
    expect(wider.at(-1)).toEqual({ text: 'b11', from: 'd11', votes: false })
    // A name that has been chosen already leaves its room to the next one.
    const others = widerSubQueries(stage, [{ text: 'N1' }], 0)
    expect(others.map(({ text: one }) => one)).toEqual(['n2', 'n3'])
  })
})
