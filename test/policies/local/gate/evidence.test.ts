import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evidenceFeatures } from '../../../../policies/local/gate/evidence.ts'
import { prepareSecondStage } from '../../../../policies/local/second-stage.ts'
import { createReader } from '../../../../src/text/reader.ts'
import type { Document, Hit } from '../../../../src/types.ts'
import { foreignQuestions } from '../../../support/question.ts'
import { decisionBy } from '../../../support/small-scorers.ts'

/** All stems weigh the same, so that shares of a question can be counted. */
const terms = { documents: 100, stems: {} }

const documents: readonly Document[] = [
  { docid: 'frost', title: 'Ada Frost', text: 'Ada Frost painted the Lune Viaduct. She lived in Eskby.' },
  { docid: 'viaduct', title: 'Lune Viaduct', text: 'The Lune Viaduct is a bridge. Tom Hale built it.' },
]
const scores = [8, 4]

function evidence(text: string, found: readonly Document[] = documents): (name: string) => number {
  const hits = found.map(({ docid }, place): Hit => ({ docid, rank: place + 1, score: scores[place]! }))
  const lists = [{ retriever: 'bm25', subQuery: { text, round: 0 }, hits }]
  const look = prepareSecondStage(decisionBy({}), createReader(terms))
  const row = look({ text }, lists, (docid) => found.find((one) => one.docid === docid)).evidence
  expect(row).toHaveLength(evidenceFeatures.length)
  return (name) => row[evidenceFeatures.indexOf(name)]!
}

describe('the wording of a question', () => {
  it('counts words, names and small words', () => {
    const of = evidence('Who built the bridge that Ada Frost painted?')
    expect(of('wording: words')).toBeCloseTo(8 / 20, 6)
    // built, bridge, Ada, Frost, painted
    expect(of('wording: content words')).toBeCloseTo(5 / 10, 6)
    expect(of('wording: names')).toBeCloseTo(1 / 3, 6)
    // who, the, that
    expect(of('wording: small words')).toBeCloseTo(3 / 8, 6)
    expect(of('wording: relative clauses')).toBeCloseTo(1 / 2, 6)
  })

  it('knows where it asks, and how', () => {
    const first = evidence('When was Ada Frost born?')
    expect(first('wording: begins with a question word')).toBe(1)
    expect(first('wording: place of the question word')).toBe(0)
    const inside = evidence('The bridge of the painter was built by whom')
    expect(inside('wording: question word inside')).toBe(1)
    expect(inside('wording: place of the question word')).toBeCloseTo(8 / 9, 6)
    expect(inside('wording: "of the"')).toBeCloseTo(1 / 2, 6)
    expect(inside('wording: ends with a question mark')).toBe(0)
    const none = evidence('lune viaduct 1850')
    expect(none('wording: place of the question word')).toBe(1)
    expect([none('wording: is a question'), none('wording: lower case')]).toEqual([0, 1])
    expect(none('wording: numbers')).toBeCloseTo(1 / 3, 6)
    expect(evidence('Is Tom Hale older than Ada Frost’s brother?')('wording: possessives')).toBeCloseTo(
      1 / 2,
      6,
    )
  })
})

describe('what the first documents say', () => {
  it('is the share of the question that they cover, alone and together', () => {
    // built, bridge, Ada, Frost, painted: the first document has the last three, the second one the first two.
    const of = evidence('Who built the bridge that Ada Frost painted?')
    expect(of('coverage: first document')).toBeCloseTo(3 / 5, 6)
    expect(of('coverage: best of five')).toBeCloseTo(3 / 5, 6)
    expect(of('coverage: ten together less the best')).toBeCloseTo(2 / 5, 6)
    expect(of('coverage: second document adds')).toBeCloseTo(2 / 5, 6)
    expect(of('coverage: names in one document')).toBeCloseTo(1, 6)
    expect(of('coverage: title in the question')).toBe(1)
    expect(of('coverage: question less that title')).toBeCloseTo(3 / 5, 6)
  })

  it('is how peaked their scores are', () => {
    const of = evidence('Who built the bridge that Ada Frost painted?')
    expect(of('scores: second ÷ first')).toBeCloseTo(1 / 2, 6)
    expect(of('scores: fifth ÷ first')).toBe(0)
    // Two thirds and one third, in bits.
    expect(of('scores: entropy')).toBeCloseTo((2 / 3) * Math.log2(3 / 2) + (1 / 3) * Math.log2(3), 6)
  })

  it('is how sure the seed scorer is', () => {
    const of = evidence('Who built the bridge that Ada Frost painted?')
    // A scorer that knows nothing.
    expect(of('seeds: first probability')).toBeCloseTo(1 / 2, 6)
    expect(of('seeds: third probability')).toBe(0)
    expect(of('seeds: entropy')).toBeCloseTo(1, 6)
    expect(of('seeds: first two cover')).toBeCloseTo(1, 6)
    expect(of('seeds: 1/rank of the first')).toBe(1)
    expect(of('bridges: first probability')).toBeGreaterThan(0)
  })
})

it('evidence is finite whatever was asked and found', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom(...foreignQuestions, '?', '’s', 'of the of the'))
  const found = fc.subarray([...documents])
  fc.assert(
    fc.property(text, found, (asked, some) => {
      const of = evidence(asked, some)
      for (const name of evidenceFeatures) expect(Math.abs(of(name)), name).toBeLessThan(100)
    }),
    { numRuns: 60 },
  )
})
