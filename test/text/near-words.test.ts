import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { nearWords } from '../../src/text/near-words.ts'

describe('nearWords', () => {
  it('has words of like meaning, nearest first', () => {
    const near = nearWords('film')
    expect(near.slice(0, 2).map(({ stem }) => stem)).toEqual(['movi', 'cinema'])
    const likenesses = near.map(({ likeness }) => likeness)
    expect(likenesses).toEqual([...likenesses].sort((a, b) => b - a))
    // A cosine of 0.76 where 0.3 is none: 46 of 70.
    expect(likenesses[0]).toBeCloseTo(46 / 70)
  })

  it('has none for a word that is rare, of another language, or no word', () => {
    for (const stem of ['querent', 'фильм', '', 'toString']) expect(nearWords(stem)).toEqual([])
  })

  it('finds every line of the file', () => {
    const lines = readFileSync(new URL('../../src/text/near-words.txt', import.meta.url), 'utf8')
      .trim()
      .split('\n')
    expect(lines.length).toBeGreaterThan(19_000)
    for (const line of lines) {
      const [stem, ...fields] = line.split(' ')
      const near = fields.filter((_, place) => place % 2 === 0)
      expect(nearWords(stem!).map((word) => word.stem)).toEqual(near)
    }
  })
})
