/** How large the hits of a search are, kept for the next search of its kind. */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../../adapters/apps/drop-in/parse/json.ts'
import { createHitWeights, kindOf, noteHits } from '../../../../../adapters/apps/drop-in/plan/fetch-plan.ts'

/** Hits with these sources, and without texts that are read. */
const hitsOf = (...sources: readonly JsonObject[]) =>
  sources.map((_source, place) => ({
    docid: String(place),
    score: 1,
    rank: place + 1,
    given: { _source, fields: {} },
  }))
const ofLength = (length: number) => hitsOf({ t: 'a'.repeat(length - 1) })

describe('kindOf', () => {
  it('is what is searched and the part of the source, not the words or the page', () => {
    const kind = kindOf('works', { _source: ['title'] })
    expect(kindOf('works', { _source: ['title'], query: { match: { a: 'b' } }, size: 3 })).toBe(kind)
    for (const other of [kindOf('notes', { _source: ['title'] }), kindOf('works', {}), kindOf(undefined, {})])
      expect(other).not.toBe(kind)
  })

  it('may hold numbers that JSON does not know', () =>
    expect(kindOf('works', { fields: [{ field: 'n', format: 10n }] })).toContain('10'))
})

describe('noteHits', () => {
  it('is the mean number of characters, of names and of about four a number', () => {
    const weights = createHitWeights()
    // "title" and "abc": 8. "year" and a number: 8. The mean of 8 and 16 is 12.
    const hits = hitsOf({ title: 'abc' }, { title: 'abc', year: 1883 })
    expect(noteHits(weights, 'kind', hits)).toEqual({ whole: 12, texts: 0 })
    expect(weights.get('kind')).toEqual({ whole: 12, texts: 0 })
  })

  it('weighs the texts that are read by themselves', () => {
    const document = { docid: '0', title: 'abc', text: 'defgh' }
    const hits = hitsOf({ vector: [1, 2, 3] }).map((hit) => ({ ...hit, document }))
    // "vector" and three numbers: 18.
    expect(noteHits(createHitWeights(), 'kind', hits)).toEqual({ whole: 18, texts: 8 })
  })

  it('looks at the first ten hits', () => {
    const hits = hitsOf(...Array(10).fill({ t: 'a' }), { t: 'a'.repeat(1000) })
    expect(noteHits(createHitWeights(), 'kind', hits)?.whole).toBe(2)
  })

  it('keeps what is known until hits are more than twice or less than half as large', () => {
    const weights = createHitWeights()
    const known = noteHits(weights, 'kind', ofLength(1000))
    for (const length of [500, 2000]) expect(noteHits(weights, 'kind', ofLength(length))).toBe(known)
    expect(noteHits(weights, 'kind', ofLength(2001))?.whole).toBe(2001)
    expect(noteHits(weights, 'kind', ofLength(1000))?.whole).toBe(1000)
  })

  it('learns nothing from no hits', () => {
    const weights = createHitWeights()
    expect(noteHits(weights, 'kind', [])).toBeUndefined()
    const known = noteHits(weights, 'kind', ofLength(10))
    expect(noteHits(weights, 'kind', [])).toBe(known)
  })
})
