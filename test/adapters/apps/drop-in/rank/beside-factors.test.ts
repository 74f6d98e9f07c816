/** Words are ranked better inside an order that more than words make. */
import { describe, expect, it } from 'vitest'
import type { Way } from '../../../../../adapters/apps/drop-in/parse/clauses.ts'
import { besideFactors, type Parts } from '../../../../../adapters/apps/drop-in/rank/with-engine.ts'
import { createRandom } from '../../../../../src/learn/random.ts'
import { mean } from '../../../../../src/learn/statistics.ts'

/** Documents with words and a factor, as the engine scores them. */
const scored = (pairs: readonly (readonly [words: number, factor: number])[], way: Way): Parts[] =>
  pairs.map(([words, factor]) => ({
    words,
    whole: {
      adds: words + factor,
      averages: (words + factor) / 2,
      multiplies: words * factor,
      hides: factor,
    }[way],
  }))

it('ranks by the words where the factor is the same for all', () => {
  // In the order of a re-ranker, which is that of the places.
  for (const way of ['adds', 'averages', 'multiplies'] as const)
    expect(
      besideFactors(
        scored(
          [
            [1, 3],
            [5, 3],
            [2, 3],
          ],
          way,
        ),
        [way],
      ),
    ).toEqual([0, 1, 2])
})

it('keeps the order of the factor where it outweighs all words', () => {
  const pairs = [1, 900, 20, 400, 3, 70, 5].map((factor, place) => [2 + place / 100, factor] as const)
  const byFactor = [1, 3, 5, 2, 6, 4, 0]
  for (const way of ['adds', 'averages', 'multiplies'] as const)
    expect(besideFactors(scored(pairs, way), [way]).slice(0, 2)).toEqual(byFactor.slice(0, 2))
})

it('leaves a document without a score of its words where its factor puts it', () => {
  const order = besideFactors(
    [
      { whole: 4, words: 4 },
      { whole: 9, words: 0 },
      { whole: 3, words: 3 },
    ],
    ['adds'],
  )
  expect([...order].sort()).toEqual([0, 1, 2])
  expect(besideFactors([], ['multiplies'])).toEqual([])
})

describe.each(['adds', 'averages', 'multiplies'] as const)('where a factor %s', (way) => {
  it('the first five keep as much of it as the engine gave them, and fit the words better', () => {
    const random = createRandom(5)
    const figures = Array.from({ length: 200 }, () => {
      // The engine reads 20 of 500 documents. The re-ranker knows how well each fits; the score of the words is that and chance.
      const all = Array.from({ length: 500 }, () => {
        const fits = random.float()
        return { fits, words: 1 + 4 * fits + 2 * random.float(), factor: 1 + 4 * random.float() }
      })
      const wholeOf = ({ words, factor }: (typeof all)[number]) => scored([[words, factor]], way)[0]!.whole
      const read = all.sort((one, other) => wholeOf(other) - wholeOf(one)).slice(0, 20)
      const reranked = read.toSorted((one, other) => other.fits - one.fits)
      const parts = reranked.map((one) => ({ whole: wholeOf(one), words: one.words }))
      const ours = besideFactors(parts, [way]).map((place) => reranked[place]!)
      const of = (hits: typeof all, key: 'fits' | 'factor') => mean(hits.slice(0, 5).map((hit) => hit[key]))
      return { fits: of(ours, 'fits') - of(read, 'fits'), factor: of(ours, 'factor') / of(read, 'factor') }
    })
    expect(mean(figures.map(({ factor }) => factor))).toBeGreaterThan(0.95)
    expect(mean(figures.map(({ factor }) => factor))).toBeLessThan(1.05)
    expect(mean(figures.map(({ fits }) => fits))).toBeGreaterThan(0.03)
  })
})
