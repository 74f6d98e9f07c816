/** The plans: the recipe of each, and what holds for all of them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { preparePlans } from '../../../../policies/local/decision/decision.ts'
import { type Plan, plansOf, withinLimits } from '../../../../policies/local/decision/plans.ts'
import type { ScoredBridge, SecondStage } from '../../../../policies/local/decision/second-stage.ts'
import { searchKey } from '../../../../src/dedupe.ts'
import { createReader, type Reader } from '../../../../src/text/reader.ts'
import type { Document, Query, RankedList } from '../../../../src/types.ts'
import { emptyStage, planOf } from '../../../support/prepared.ts'
import { conversation, foreignQuestions, readerWith } from '../../../support/question.ts'
import { hits } from '../../../support/scripted.ts'
import { decisionBy } from '../../../support/small-scorers.ts'

const documents: readonly Document[] = [
  { docid: 'a', title: 'Ada Frost', text: 'Ada Frost painted the Lune Viaduct. She lived in Eskby.' },
  { docid: 'b', title: 'Eskby (town)', text: 'Eskby has a bridge, the Lune Viaduct, and a market.' },
  { docid: 'c', text: 'Nothing about it.' },
]
const documentOf = (docid: string) => documents.find((document) => document.docid === docid)
const listsOf = ({ text }: Query, docids = ['a', 'c', 'b']): RankedList[] => [
  { retriever: 'bm25', subQuery: { text, round: 0 }, hits: hits(...docids) },
  { retriever: 'dense', subQuery: { text, round: 0 }, hits: hits('c', 'b') },
]
const bridge = (name: string, score = 0, unanswered = ''): ScoredBridge => ({
  name,
  unanswered,
  seed: 'a',
  score,
})

/** With these names and bridges. */
function plans(
  query: Query,
  stage: Partial<Pick<SecondStage, 'names' | 'bridges'>> = {},
  reader: Reader = readerWith(),
): Plan[] {
  return plansOf(query, listsOf(query), { ...emptyStage(), ...stage }, documentOf, reader)
}

const textsOf = (made: readonly Plan[]): Record<string, string[]> =>
  Object.fromEntries(made.map(({ name, texts }) => [name, texts.map(({ text }) => text)]))

const older = { text: 'Which is older, the Forth Bridge or the Tower Bridge?' }
const ways = [bridge('A Way', 0, 'height'), bridge('B Way', -1), bridge('C Way', -2)]

describe('the recipes', () => {
  it('parts: each side of a comparison, then two bridges, and the best one with what it leaves unanswered', () => {
    const [parts, names] = plans(older, { bridges: ways })
    expect(parts).toMatchObject({ name: 'parts', withOriginal: true })
    expect(textsOf([parts!])).toEqual({
      parts: ['Forth Bridge older', 'Tower Bridge older', 'A Way', 'B Way', 'A Way height'],
    })
    expect(parts!.texts.map(({ from }) => from)).toEqual([undefined, undefined, 'a', 'a', 'a'])
    // Without names in the question, the other plan has the bridges alone.
    expect(textsOf([names!])).toEqual({ 'names and bridges': ['A Way', 'B Way', 'A Way height'] })
  })

  it('names and bridges: the names and the keywords, three at most, then the bridges', () => {
    const query = { text: 'Was the director of the film Casablanca born in Budapest?' }
    const reader = readerWith('film director born')
    const made = (names: readonly string[]) =>
      textsOf(plans(query, { names, bridges: ways.slice(1) }, reader))
    expect(made(['Casablanca', 'Budapest'])).toEqual({
      'names and bridges': ['Casablanca', 'Budapest', 'Casablanca Budapest', 'B Way', 'C Way'],
    })
    expect(made(['N1', 'N2', 'N3', 'N4'])).toEqual({
      'names and bridges': ['N1', 'N2', 'N3', 'B Way', 'C Way'],
    })
  })

  it('conversation: the question with words of the conversation, in place of the query', () => {
    const history = conversation('Who built the Forth Bridge?', 'Fowler and Baker.', 'Where was Baker born?')
    const [first, ...others] = plans({ text: 'And Fowler?', history })
    expect(first).toMatchObject({ name: 'conversation', withOriginal: false })
    expect(first!.texts[0]!.text).toBe('And Fowler? And Fowler? And Fowler? built Forth Bridge Baker born')
    expect(others).toEqual([])
    expect(plans({ text: 'And Fowler?' })).toEqual([])
  })

  it('are fed from the documents that were found', () => {
    const query = { text: 'Who built the bridge that Ada Frost painted in Eskby?' }
    const make = preparePlans(decisionBy(), createReader({ documents: 100, stems: { 60: 'built who' } }))
    const { plans: made } = make(query, listsOf(query), documentOf)
    const { texts } = made.find(({ name }) => name === 'names and bridges')!
    expect(texts.slice(0, 2).map(({ text }) => text)).toEqual(['Ada Frost', 'Eskby'])
    expect(texts).toContainEqual(expect.objectContaining({ text: 'Lune Viaduct', from: 'a' }))
  })
})

describe('what speaks for a text', () => {
  it('is the rank of the document whose title it is, in the first list that has it', () => {
    const [made] = plans({ text: 'q' }, { names: ['Ada Frost', 'ESKBY', 'Lune'] })
    expect(made!.texts.map(({ text, found }) => [text, found])).toEqual([
      ['Ada Frost', 1],
      // Third there, and second in the other list.
      ['ESKBY', 1 / 3],
      ['Lune', 0],
    ])
  })

  it('is how likely a bridge is among all, and how far behind the best', () => {
    const [{ texts }] = plans({ text: 'q' }, { names: ['N'], bridges: ways }) as [Plan]
    const sum = 1 + Math.exp(-1) + Math.exp(-2)
    expect(texts.map(({ probability, gap }) => [probability, gap])).toEqual([
      [0, 0],
      [expect.closeTo(1 / sum, 12), 0],
      [expect.closeTo(Math.exp(-1) / sum, 12), -1 / 5],
      [expect.closeTo(1 / sum, 12), 0],
    ])
  })
})

describe('all plans', () => {
  it('search nothing twice, and never the query', () => {
    const made = plans(
      { text: 'Eskby' },
      { names: ['Ada Frost', 'eskby'], bridges: [bridge('ada  frost'), bridge('ESKBY')] },
    )
    expect(textsOf(made)).toEqual({ 'names and bridges': ['Ada Frost'] })
  })

  it.each(foreignQuestions)('are none in another language: %s', (text) => {
    expect(plans({ text, history: conversation(text, text) }, { names: ['N'], bridges: ways })).toEqual([])
  })

  it('are the same whatever was read before', () => {
    const reader = readerWith()
    const first = plans(older, { names: ['Ada Frost'], bridges: ways })
    reader.read({ docid: 'x', text: 'market viaduct Eskby, town, painted' })
    expect(plans(older, { names: ['Ada Frost'], bridges: ways }, reader)).toEqual(first)
  })

  const word = fc.constantFrom(
    'Ada',
    'Frost',
    'and',
    'or',
    'between',
    'both',
    'the',
    'who',
    'bridge',
    ',',
    '?',
    'Eskby',
  )
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.array(word, { maxLength: 15 }).map((some) => some.join(' ')),
  )
  const bridges = fc.array(fc.tuple(text, fc.integer({ min: -9, max: 9 }), text), { maxLength: 6 })
  const turns = fc.array(text, { maxLength: 4 })

  it('have at most three texts of the question and three of bridges, each another search', () => {
    fc.assert(
      fc.property(text, turns, fc.array(text, { maxLength: 5 }), bridges, (asked, said, names, looked) => {
        const scored = looked.map((one) => bridge(...one)).sort((a, b) => b.score - a.score)
        const made = plans({ text: asked, history: conversation(...said) }, { names, bridges: scored })
        expect(new Set(made.map(({ name }) => name)).size).toBe(made.length)
        for (const { name, texts } of made) {
          expect(texts.length).toBeGreaterThan(0)
          expect(texts.filter(({ from }) => from === undefined).length).toBeLessThanOrEqual(3)
          expect(texts.filter(({ from }) => from !== undefined).length).toBeLessThanOrEqual(3)
          const keys = ['', searchKey(asked), ...texts.map((one) => searchKey(one.text))]
          expect(new Set(keys).size, name).toBe(new Set(['', searchKey(asked)]).size + texts.length)
          for (const { probability, gap, found } of texts) {
            expect(probability).toBeGreaterThanOrEqual(0)
            expect(gap).toBeLessThanOrEqual(0)
            expect(found).toBeLessThanOrEqual(1)
          }
          if (name === 'conversation') expect(said.length).toBeGreaterThan(0)
        }
      }),
    )
  })
})

describe('withinLimits', () => {
  const one = planOf('names and bridges', [
    { text: 'N1' },
    { text: 'N2' },
    { text: 'B1', from: 'a' },
    { text: 'B2', from: 'b' },
  ])
  const other = planOf('parts', [{ text: 'B1', from: 'a' }])
  const left = (maxTexts: number, maxSecondStage: number) =>
    textsOf(withinLimits([one, other], { maxTexts, maxSecondStage }))

  it('keeps the first texts, and of those from documents the first', () => {
    expect(left(4, 12)).toEqual(textsOf([one, other]))
    expect(left(3, 12)['names and bridges']).toEqual(['N1', 'N2', 'B1'])
    expect(left(4, 1)).toEqual({ 'names and bridges': ['N1', 'N2', 'B1'], parts: ['B1'] })
  })

  it('drops a plan of which nothing is left', () => {
    expect(left(4, 0)).toEqual({ 'names and bridges': ['N1', 'N2'] })
    expect(left(0, 12)).toEqual({})
  })
})
