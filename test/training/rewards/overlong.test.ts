import { describe, expect, it } from 'vitest'
import { overlongPenalty } from '../../../src/training/rewards/overlong.ts'

describe('the overlong penalty', () => {
  it.each([
    [1, 0],
    [192, 0],
    [200, -0.125],
    [224, -0.5],
    [256, -1],
    [300, -1],
  ])('of %i tokens is %f', (length, penalty) => {
    expect(overlongPenalty(length, { longest: 256, buffer: 64 })).toBe(penalty)
    expect(overlongPenalty(length, { longest: 256, buffer: 64, factor: 2 })).toBe(2 * penalty)
  })

  it('refuses a buffer longer than all, and a reward for length', () => {
    expect(() => overlongPenalty(1, { longest: 256, buffer: 300 })).toThrow('buffer is 300')
    expect(() => overlongPenalty(1, { longest: 256, buffer: 64, factor: -1 })).toThrow('factor is -1')
  })
})
