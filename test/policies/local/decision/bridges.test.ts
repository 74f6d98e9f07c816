import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bridgeFeatures } from '../../../../policies/local/decision/bridge-features.ts'
import { type Bridge, bridgesOf } from '../../../../policies/local/decision/bridges.ts'
import { featuresOf } from '../../../../policies/local/rerank/features.ts'
import { readQuestion } from '../../../../policies/local/rerank/question.ts'
import type { Lexicon } from '../../../../src/text/lexicon.ts'
import { type ParsedText, phraseOf } from '../../../../src/text/parse-text.ts'
import type { Document } from '../../../../src/types.ts'
import { readerWith } from '../../../support/question.ts'
import { readPool } from '../../../support/read-pool.ts'
import { hits } from '../../../support/scripted.ts'

type Told = Omit<Document, 'docid'>
type Values = Readonly<Record<string, number>>

/** The bridges of a question whose list has these documents in this order, by default less and less probable; features by their names. */
function bridges(
  text: string,
  documents: readonly Told[],
  probabilities: readonly number[] = documents.map((_, row) => 1 / (row + 2)),
) {
  const reader = readerWith()
  const { lexicon } = reader
  const given = new Map(documents.map((document, row) => [`d${row}`, { docid: `d${row}`, ...document }]))
  const lists = [{ retriever: 'bm25', subQuery: { text, round: 1 }, hits: hits(...given.keys()) }]
  const { retrieved, reads } = readPool({ text }, lists, (docid) => given.get(docid), reader)
  const question = readQuestion({ text }, lexicon)
  const features = featuresOf(question, retrieved, reads, lexicon)
  return bridgesOf(question, features, probabilities, lexicon).map((bridge) => ({
    ...bridge,
    seedText: wordsOf(reads[bridge.seed]!.text, lexicon),
    values: Object.fromEntries(
      bridgeFeatures.map((name, input) => [name, bridge.features[input]!]),
    ) as Values,
  }))
}

const wordsOf = ({ words }: ParsedText, lexicon: Lexicon): string => phraseOf(words, 0, words.length, lexicon)

const names = (found: readonly Bridge[]): string[] => found.map(({ name }) => name)

const asked = 'Who built the bridge that Ada Frost painted?'
const painter: Told = {
  title: 'Ada Frost',
  text: 'Ada Frost painted the Lune Viaduct in May 1850. She came to Eskby with Tom Hale.',
}
const bridge: Told = { title: 'Lune Viaduct', text: 'The Lune Viaduct is a bridge that Tom Hale built.' }

describe('bridgesOf', () => {
  it('are names that the question has not, without dates and what the document is called', () => {
    const { text } = painter
    expect(names(bridges(asked, [painter])).sort()).toEqual(['Eskby', 'Lune Viaduct', 'Tom Hale'])
    // Without the title they are news where they say more than the question: "Ada Frost" does not.
    expect(names(bridges(asked, [{ text }])).sort()).toEqual(['Eskby', 'Lune Viaduct', 'Tom Hale'])
    expect(
      names(bridges('Eskby and the viaduct', [{ text: `${text} It was the Frost of 1850.` }])).sort(),
    ).toEqual(['Ada Frost', 'Frost of 1850', 'Lune Viaduct', 'Tom Hale'])
  })

  it('come best first, with what of the question neither their document nor the titles that it names have', () => {
    const found = bridges(asked, [painter, bridge])
    expect(found.map(({ name, unanswered, seed }) => [name, unanswered, seed])).toEqual([
      ['Tom Hale', 'painted', 1],
      ['Lune Viaduct', 'built bridge', 0],
      ['Eskby', 'built bridge', 0],
    ])
    // Equals by their names.
    const alike = ['Lorton', 'Arlow'].map((town) => ({ text: `It is near ${town}.` }))
    expect(names(bridges('', alike, [0.5, 0.5]))).toEqual(['Arlow', 'Lorton'])
  })

  it('come each once, from where they fit best', () => {
    // All five words weigh the same. Beside Tom Hale stand two of them in one document and none in the other, where two names
    // come before: 0.1 + 2/5 + 2/5 + 0.2 = 1.1 to 0.1 + 0.2/3 = 0.17, times the probability of the document.
    const seedsOf = (...probabilities: readonly number[]): number[] =>
      bridges(asked, [painter, bridge], probabilities)
        .filter(({ name }) => name === 'Tom Hale')
        .map(({ seed }) => seed)
    expect(seedsOf(0.8, 0.2)).toEqual([1])
    expect(seedsOf(0.8, 0.1)).toEqual([0])
  })

  it('are at most 40', () => {
    const many = Array.from(
      { length: 50 },
      (_, index) => `Ze${String.fromCharCode(97 + (index % 26))}${'o'.repeat(1 + index / 26)}`,
    )
    // All stand alike, but for their order.
    expect(names(bridges(asked, [{ text: `It has ${many.join(', ')}.` }]))).toEqual(many.slice(0, 40))
  })

  it('come from the six most probable documents, and three that the question names in full', () => {
    const towns =
      'Arlow Brenford Corvale Dunmar Eskby Fenholt Garwick Hexley Ibstone Jarrow Kelby Lorton'.split(' ')
    const titles = new Map([
      [7, 'Grey Heron'],
      [8, 'Ada Mary Frost'],
      [9, 'Lune Viaduct'],
      [10, 'Mill Lane'],
      [11, 'Old Oak'],
    ])
    const documents = towns.map((town, row) => ({
      title: titles.get(row) ?? '',
      text: `It is near ${town}.`,
    }))
    const text = 'Ada Frost, the Grey Heron, the Lune Viaduct, Mill Lane and the Old Oak'
    // Of those that are named Frost is not named in full, and the oak is the fourth.
    const wanted = [0, 1, 2, 3, 4, 5, 7, 9, 10].map((row) => towns[row])
    expect(names(bridges(text, documents)).sort()).toEqual(wanted)
    // The question names none: those of the last six, the most probable first.
    const rising = bridges(
      '',
      documents,
      documents.map((_, row) => row + 1),
    )
    expect(names(rising)).toEqual(towns.slice(6).reverse())
  })

  it('have their features by name', () => {
    const text = 'Who designed the city bridge or the hill that Ada Frost painted?'
    const documents = [
      { title: 'Tom Frost 1850', text: 'A barge.' },
      {
        title: 'Ada Frost',
        text: 'Ada Frost left Eskby for Arlow. In the city a bridgehead was often painted by Tom Frost 1850 nearby beside a hill.',
      },
      { text: 'There stood Tom Frost 1850.' },
    ]
    const found = bridges(text, documents, [0.6, 0.5, 0.01])
    const values = (name: string) => found.find((one) => one.name === name)!.values
    // Without Ada Frost five of the seven words are left.
    expectClose(values('Tom Frost 1850'), {
      'seed: probability': 0.5,
      'seed: log probability': Math.log(0.5) / 5,
      'seed: place': 1 / 2,
      'seed: named in the query': 1,
      // City, painted, hill; not the city within six words; a bridgehead is kin to a bridge.
      'rest of the query in its sentence': 3 / 7,
      'rest of the query around it': 2 / 7,
      'kin of the rest in its sentence': 4 / 7,
      'kin of the rest around it': 3 / 7,
      'nearness of a word of the rest before it': 1 / 2,
      // Behind Eskby and Arlow.
      '1/ordinal': 1 / 3,
      '1/sentence': 1 / 2,
      words: 3 / 5,
      'weight of its words': (3 * Math.log(1 + 1000 / 0.5)) / 30,
      'before a small word': 1,
      'has a number': 1,
      'is a title': 1,
      // In two of three documents.
      'is rare in the pool': Math.log(3 / 2) / Math.log(3),
      'seeds with it': 2 / 3,
      'shares words with the query': 1,
      'shares words with the seed’s title': 1,
      'after “by”': 1,
      // Ada Frost, Eskby, Arlow and it.
      'names in its text': 4 / 20,
      'query: who': 1,
      'query: where': 1,
      'query: compares': 1 / 2,
      'query: words': 12 / 20,
      'query: names': 1 / 3,
    })
    expect(values('Eskby')).toMatchObject({ 'one word': 1, 'in the first sentence': 1, '1/ordinal': 1 })
  })

  it.each(['by', 'of', 'in', 'and', 'to', 'with', 'from', 'the', 'at'])('stand after “%s”', (word) => {
    const [only] = bridges('', [{ text: `It stands ${word} Eskby.` }])
    const after = Object.entries(only!.values).filter(
      ([name, value]) => name.startsWith('after') && value !== 0,
    )
    expect(after).toEqual([[`after “${word}”`, 1]])
  })

  it('stand where they are said to, each once, and say something new, whatever the texts', () => {
    const words = fc.constantFrom(...'Ada Frost Eskby Tom May 1850 of The painted bridge.'.split(' '))
    const text = fc.array(words, { maxLength: 20 }).map((all) => all.join(' '))
    fc.assert(
      fc.property(fc.array(fc.record({ title: text, text }), { maxLength: 8 }), (documents) => {
        const found = bridges(asked, documents)
        for (const { name, seedText } of found) {
          expect(` ${seedText} `).toContain(` ${name} `)
          expect(name).not.toMatch(/^(Ada|Frost|painted|bridge|of|The| )+$/)
          expect(name).not.toMatch(/^(May|1850|of|The| )+$/)
        }
        expect(new Set(found.map(({ phrase }) => phrase)).size).toBe(found.length)
      }),
    )
  })
})

function expectClose(found: Values, expected: Values): void {
  expect(Object.keys(found)).toEqual(expect.arrayContaining(Object.keys(expected)))
  for (const [name, value] of Object.entries(found)) expect(value, name).toBeCloseTo(expected[name] ?? 0, 5)
}
