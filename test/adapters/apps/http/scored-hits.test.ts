import fc from 'fast-check'
import { expect, it } from 'vitest'
import { scoredHits } from '../../../../adapters/apps/http/scored-hits.ts'
import type { Hit } from '../../../../src/types.ts'

const hitsOf = (confidences: readonly (number | undefined)[]): Hit[] =>
  confidences.map((confidence, index) => ({
    docid: `d${index}`,
    rank: index + 1,
    score: -index,
    ...(confidence !== undefined && { confidence }),
  }))
const scores = (...given: Parameters<typeof scoredHits>) => scoredHits(...given).map(({ score }) => score)

it('a score is the highest confidence from there on', () => {
  expect(scores(hitsOf([0.2, 0.9, 0.5, undefined]))).toEqual([0.9, 0.9, 0.5, 0])
  expect(scores(hitsOf([0.2, 0.9, 0.5, undefined]), 0.6)).toEqual([0.9, 0.9])
})

it('without confidences a score is 1/rank, and no threshold applies', () => {
  expect(scores(hitsOf([undefined, undefined]), 0.9)).toEqual([1, 0.5])
  expect(scores([])).toEqual([])
})

it('scores lie between 0 and 1 and never rise, and the hits are the first ones', () => {
  const confidence = fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined })
  fc.assert(
    fc.property(fc.array(confidence), fc.double({ min: 0, max: 1, noNaN: true }), (given, threshold) => {
      const hits = hitsOf(given)
      const scored = scoredHits(hits, threshold)
      expect(scored.map(({ hit }) => hit)).toEqual(hits.slice(0, scored.length))
      for (const [place, { score }] of scored.entries()) {
        expect(score).toBeLessThanOrEqual(scored[place - 1]?.score ?? 1)
        expect(score).toBeGreaterThanOrEqual(0)
      }
    }),
  )
})
