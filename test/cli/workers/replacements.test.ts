import { describe, expect, it } from 'vitest'
import { createReplacements } from '../../../src/cli/workers/replacements.ts'
import { manualClock } from '../../support/manual-clock.ts'

describe('replacements of workers', () => {
  it('come at once, then later and later, until there are too many', () => {
    const next = createReplacements(manualClock())
    expect(Array.from({ length: 6 }, next)).toEqual([0, 250, 500, 1000, 2000, undefined])
  })

  it('forget what is more than a minute ago', async () => {
    const clock = manualClock()
    const next = createReplacements(clock)
    expect([next(), next()]).toEqual([0, 250])
    await clock.advance(59_999)
    expect(next()).toBe(500)
    await clock.advance(1)
    expect(next()).toBe(250)
    await clock.advance(60_000)
    expect(next()).toBe(0)
  })
})
