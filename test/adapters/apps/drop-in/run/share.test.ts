import { expect, it } from 'vitest'
import { inShare } from '../../../../../adapters/apps/drop-in/run/share.ts'

const callers = Array.from({ length: 10_000 }, (_, place) => `caller ${place}`)
const partOf = (share: number, salt: string): string[] =>
  callers.filter((caller) => inShare(caller, share, salt))

it.each([0.1, 0.25, 0.5, 0.9])('of 10,000 callers, a share of %d is met within 1 %%', (share) =>
  expect(Math.abs(partOf(share, 'share').length / callers.length - share)).toBeLessThan(0.01),
)

it('a share of 0 is nobody, and a share of 1 everybody', () => {
  expect(partOf(0, 'share')).toEqual([])
  expect(partOf(1, 'share')).toEqual(callers)
})

it('a caller stays on its side, and whoever is in a share is in each larger one', () => {
  expect(partOf(0.1, 'share')).toEqual(partOf(0.1, 'share'))
  const larger = new Set(partOf(0.2, 'share'))
  expect(partOf(0.1, 'share').every((caller) => larger.has(caller))).toBe(true)
})

it('the place of a caller is the one that sha256sum says, in every version', () => {
  // printf '["share","caller 3"]' | sha256sum begins with c428366a2fb4, and 0xc428366a2fb4 / 2 ** 48 is 0.76624.
  expect(inShare('caller 3', 0.7662, 'share')).toBe(false)
  expect(inShare('caller 3', 0.7663, 'share')).toBe(true)
})

it('the shares of two salts are independent', () => {
  // Independent halves have a quarter in common.
  const half = new Set(partOf(0.5, 'share'))
  const both = partOf(0.5, 'interleave').filter((caller) => half.has(caller))
  expect(Math.abs(both.length / callers.length - 0.25)).toBeLessThan(0.01)
})
