/** Which part of the fused list a request wants, and how deep the lists have to be. */
import fc from 'fast-check'
import { LosslessNumber } from 'lossless-json'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../../adapters/apps/drop-in/parse/json.ts'
import { readPage } from '../../../../../adapters/apps/drop-in/parse/paging.ts'

const endless = Number.POSITIVE_INFINITY
/** The page of a body, or why there is none, for a window of 100 hits. */
const pageOf = (body: JsonObject, { window = 100, most = endless, goesOn = true } = {}) => {
  const page = readPage(body, window, most, goesOn)
  return 'reason' in page ? page.reason : page
}

describe('the page', () => {
  it.each([
    [{}, { from: 0, size: 10 }],
    [{ from: 20 }, { from: 20, size: 10 }],
    [
      { from: '20', size: '5' },
      { from: 20, size: 5 },
    ],
    [
      { from: new LosslessNumber('7'), size: new LosslessNumber('2') },
      { from: 7, size: 2 },
    ],
  ])('of %j is %j', (body, page) => expect(pageOf(body)).toMatchObject(page))

  it.each([{ from: -1 }, { size: 1.5 }, { size: 'ten' }, { from: null }, { size: '' }, { from: '-1' }])(
    'is none for %j',
    (body) => expect(pageOf(body)).toBe('its `from` or `size` is not a whole number'),
  )

  it('has at least one hit, and no more than the window or 100', () => {
    expect(pageOf({ size: 0 })).toBe('it asks for no hits (`size: 0`)')
    expect(pageOf({ size: 250 })).toBe('it asks for more than 100 hits at once')
    expect(pageOf({ size: 250 }, { window: 300 })).toMatchObject({ size: 250 })
    expect(pageOf({ size: 100 }, { window: 30 })).toMatchObject({ size: 100 })
  })
})

describe('the depth', () => {
  it.each([
    [{}, 100, 100],
    [{ size: 30, from: 90 }, 100, 120],
    [{ size: 250 }, 300, 500],
    [{ size: 100 }, 30, 100],
    [{ size: 7, from: 5 }, 20, 21],
  ])('of %j for a window of %d is %d: whole pages that hold the window', (body, window, depth) =>
    expect(pageOf(body, { window })).toMatchObject({ depth }),
  )

  it('is within what the engine gives, in whole pages too', () => {
    expect(pageOf({}, { most: 55 })).toMatchObject({ depth: 50 })
    expect(pageOf({}, { most: 500 })).toMatchObject({ depth: 100 })
    expect(pageOf({ size: 20 }, { most: 10 })).toBe('it asks for more hits than its `rank_window_size`')
  })

  it("ends the pages where the caller's own list cannot go on behind it", () => {
    expect(pageOf({ from: 100 })).toMatchObject({ from: 100, depth: 100 })
    expect(pageOf({ from: 100 }, { goesOn: false })).toBe('it asks for hits beyond the first 100')
    expect(pageOf({ from: 90 }, { goesOn: false })).toMatchObject({ from: 90 })
  })

  it('is the same on every page, and never leaves a part of one', () => {
    const sizes = fc.integer({ min: 1, max: 100 })
    fc.assert(
      fc.property(sizes, sizes, fc.nat(5), (size, window, number) => {
        const [first, later] = [0, number * size].map((from) =>
          readPage({ from, size }, window, endless, true),
        )
        if ('reason' in first! || 'reason' in later!) throw new Error('no page')
        expect(later!.depth).toBe(first!.depth)
        expect(first!.depth % size).toBe(0)
        // The least whole number of pages: one page fewer would not hold the window.
        expect(first!.depth).toBeGreaterThanOrEqual(window)
        expect(first!.depth - size).toBeLessThan(window)
      }),
    )
  })
})
