/** The glance: what it sees, and what it leaves as it is. */
import { describe, expect, it } from 'vitest'
import { glanceCost, glanceInputs, glanceRow, prepareGlance } from '../../../../policies/local/gate/glance.ts'
import { createReader } from '../../../../src/text/reader.ts'
import type { Document, Query, RankedList } from '../../../../src/types.ts'
import { sampleDocuments, smallPolicy } from '../../../support/small-policy.ts'
import { linear } from '../../../support/small-scorers.ts'

const { terms } = await smallPolicy()
const reader = createReader(terms)
const documents = await sampleDocuments()
const documentOf = (docid: string): Document | undefined => documents.find((one) => one.docid === docid)
const query: Query = { text: 'Which bridge is painted International Orange?' }

const listOf = (count: number, from = documents): RankedList => ({
  retriever: 'bm25',
  subQuery: { text: query.text, round: 0 },
  hits: from.slice(0, count).map(({ docid }, place) => ({ docid, score: 30 - place, rank: place + 1 })),
})

const seen = (...given: Parameters<typeof glanceRow>): ReadonlyMap<string, number> => {
  const row = glanceRow(...given)
  return new Map(glanceInputs.map((name, input) => [name, row[input]!]))
}

describe('what it sees', () => {
  it('is the first ten hits, whatever stands behind them', () => {
    const behind = [...documents.slice(0, 10), ...documents.slice(40, 60)]
    const row = glanceRow(query, [listOf(10)], documentOf, reader)
    expect(glanceRow(query, [listOf(30)], documentOf, reader)).toEqual(row)
    expect(glanceRow(query, [listOf(30, behind)], documentOf, reader)).toEqual(row)
    expect(glanceRow(query, [listOf(9)], documentOf, reader)).not.toEqual(row)
  })

  it('is how much of the question a document says', () => {
    const bridge = documents.filter(({ title }) => title === 'Golden Gate Bridge')
    const others = documents.filter(({ text }) => !/bridge|paint|orange/i.test(text))
    expect(bridge).toHaveLength(1)
    const found = seen(query, [listOf(10, [...bridge, ...others])], documentOf, reader)
    const missed = seen(query, [listOf(10, others)], documentOf, reader)
    const coverage = 'coverage: first document'
    expect(found.get(coverage)).toBeGreaterThan(missed.get(coverage)!)
  })

  it('is whether the query follows a conversation, and how many hits there are', () => {
    const history = [{ role: 'user', text: 'Who wrote Emma?' }] as const
    const one = seen({ text: 'and Dune?', history }, [listOf(4)], documentOf, reader)
    expect([one.get('conversation'), one.get('scores: hits')]).toEqual([1, Math.fround(0.4)])
    expect(seen(query, [listOf(10)], documentOf, reader).get('conversation')).toBe(0)
  })

  it.each([
    ['no list', []],
    ['an empty list', [listOf(0)]],
    ['documents that nobody has', [listOf(3, [{ docid: 'gone', text: '' }])]],
  ])('is finite for %s', (_, lists) => {
    expect(glanceRow({ text: '?' }, lists, documentOf, reader).every(Number.isFinite)).toBe(true)
  })
})

it('leaves as it is what should gain less than 2.5 points', () => {
  const gain = 'scores: hits'
  const isEnough = prepareGlance([linear(glanceInputs, { [gain]: 1 })])
  const row = (points: number) =>
    Float32Array.from(glanceInputs, (name) => (name === gain ? points / 100 - glanceCost : 0))
  expect([-3, 2, 3, 6].filter((points) => isEnough(row(points)))).toEqual([-3, 2])
})
