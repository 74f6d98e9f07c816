import fc from 'fast-check'
import { expect, it } from 'vitest'
import { teamDraft } from '../../src/evaluation/team-draft.ts'

const list = fc.uniqueArray(fc.integer({ min: 0, max: 30 }).map(String), { maxLength: 20 })

it('has each document of both lists once, in the order of the side that picked it', () =>
  fc.assert(
    fc.property(list, list, fc.string(), (engine, querent, key) => {
      const drafted = teamDraft(engine, querent, key)
      const docids = drafted.map(({ docid }) => docid)
      expect(docids.toSorted()).toEqual([...new Set([...engine, ...querent])].toSorted())
      for (const [side, own] of [['engine', engine] as const, ['querent', querent] as const]) {
        const picked = drafted.filter((one) => one.side === side).map(({ docid }) => docid)
        expect(picked).toEqual(own.filter((docid) => picked.includes(docid)))
      }
    }),
  ))

it('gives both sides as many picks, at every depth to within one, and none to what only one list has left', () =>
  fc.assert(
    fc.property(list, list, fc.string(), (engine, querent, key) => {
      const drafted = teamDraft(engine, querent, key)
      let lead = 0
      for (const { side } of drafted) {
        if (side !== undefined) lead += side === 'querent' ? 1 : -1
        expect(Math.abs(lead)).toBeLessThanOrEqual(1)
      }
      const picked = drafted.findLastIndex(({ side }) => side !== undefined)
      const before = drafted.slice(0, Math.max(0, picked)).map(({ docid }) => docid)
      for (const own of [engine, querent])
        if (picked >= 0) expect(own.some((docid) => !before.includes(docid))).toBe(true)
    }),
  ))

it('has the same first places for the first places of both lists', () =>
  fc.assert(
    fc.property(list, list, fc.string(), fc.nat(20), (engine, querent, key, depth) => {
      const first = teamDraft(engine.slice(0, depth), querent.slice(0, depth), key).slice(0, depth)
      const whole = teamDraft(engine, querent, key)
      // Lists of which one ends before have no places to agree on.
      if (engine.length >= depth && querent.length >= depth) expect(whole.slice(0, depth)).toEqual(first)
    }),
  ))

it('lets a coin choose who begins, which the key tosses', () => {
  const keys = Array.from({ length: 1000 }, (_, place) => `key ${place}`)
  const first = keys.map((key) => teamDraft(['a', 'b'], ['b', 'a'], key)[0]!)
  const engine = first.filter(({ side }) => side === 'engine')
  // Four standard deviations of 1,000 tosses are 63.
  expect(Math.abs(engine.length - 500)).toBeLessThan(64)
  expect(new Set(engine.map(({ docid }) => docid))).toEqual(new Set(['a']))
  expect(keys.map((key) => teamDraft(['a', 'b'], ['b', 'a'], key)[0])).toEqual(first)
})
