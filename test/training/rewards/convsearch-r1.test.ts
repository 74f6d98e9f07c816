import { describe, expect, it } from 'vitest'
import {
  convSearchCurriculumReward,
  convSearchReward,
  parseRewrite,
} from '../../../src/training/rewards/convsearch-r1.ts'

const answer = '<think>who\nis she?</think>\n<rewrite>Ada Lovelace</rewrite>'

describe('the format', () => {
  it.each([
    { text: answer, rewrite: 'Ada Lovelace' },
    { text: `${answer}\nand more`, rewrite: 'Ada Lovelace' },
    { text: '<think></think>\n<rewrite></rewrite>', rewrite: '' },
    { text: `Sure. ${answer}` },
    { text: `\n${answer}` },
    { text: `${answer} and more` },
    { text: '<think>a</think> <rewrite>b</rewrite>' },
    { text: '<rewrite>b</rewrite>' },
    { text: '' },
  ])('$text', ({ text, rewrite }) => expect(parseRewrite(text)).toBe(rewrite))

  it('replaces the reward where it is wrong', () => {
    expect(convSearchReward('Ada Lovelace', [1])).toBe(-0.1)
    expect(convSearchReward('Ada Lovelace', [1], { penalty: -1 })).toBe(-1)
    expect(() => convSearchReward(answer, [1], { penalty: 0 })).toThrow('penalty is 0')
  })
})

it.each([
  { ranks: [4], reward: 5 / 3 },
  { ranks: [37, 4, undefined], reward: 5 / 3 },
  { ranks: [10], reward: 1 },
  { ranks: [11], reward: 89 / 90 },
  { ranks: [undefined], reward: 0 },
  { ranks: [], reward: 0 },
])('takes the best rank of $ranks', ({ ranks, reward }) =>
  expect(convSearchReward(answer, ranks)).toBe(reward),
)

describe('its curriculum, of 8 steps', () => {
  it.each([
    { rank: 1, early: 1, late: 1 },
    { rank: 10, early: 10 / 11, late: 10 / 11 },
    { rank: 11, early: 89 / 99, late: 0 },
    { rank: 100, early: 0, late: 0 },
    { rank: 101, early: -0.2, late: -0.2 },
    { rank: undefined, early: -0.2, late: -0.2 },
  ])('rank $rank: $early and $late', ({ rank, early, late }) => {
    expect(convSearchCurriculumReward([rank], { step: 2, steps: 8 })).toBeCloseTo(early, 14)
    expect(convSearchCurriculumReward([rank], { step: 3, steps: 8 })).toBeCloseTo(late, 14)
  })
})
