import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { documentFeatures } from '../../../../policies/local/rerank/document-features.ts'
import {
  featuresOf,
  firstInputs,
  type PoolFeatures,
  secondInputs,
} from '../../../../policies/local/rerank/features.ts'
import { groupsOf, pairInputs } from '../../../../policies/local/rerank/group-features.ts'
import { readPool } from '../../../../policies/local/rerank/pool.ts'
import { queryFeatures } from '../../../../policies/local/rerank/query-features.ts'
import { readQuestion } from '../../../../policies/local/rerank/question.ts'
import { createReader } from '../../../../src/text/reader.ts'
import type { Document, Query, RankedList } from '../../../../src/types.ts'
import { conversation, foreignQuestions } from '../../../support/question.ts'
import { hits } from '../../../support/scripted.ts'

/**
 * Stems that stand in 6 of 13 documents weigh ln(1 + 13 / 6.5) = ln 3, and others ln(1 + 13 / 0.5) = 3 ln 3: as 1 to 3.
 * The question weighs 15: built 1, bridge 3, Eskby 3, Hill 1, Ada 3, Frost 3, painted 1.
 */
const terms = { documents: 13, stems: { 6: 'built hill paint mari' } }
const query: Query = {
  text: 'Who built the bridge on Eskby Hill that Ada Frost painted?',
  history: conversation(
    'Is there a market?',
    'There is one.',
    'Is the Lune Viaduct old?',
    'Tom Hale built the viaduct.',
  ),
}

const [bridge, painter, builder] = [0, 1, 2]
const documents: readonly Document[] = [
  {
    docid: 'bridge',
    title: 'Lune Viaduct',
    text: 'The Lune Viaduct is a bridge below Eskby Hill. Tom Hale designed it. Ada Mary Frost saw it.',
  },
  {
    docid: 'painter',
    title: 'Ada Mary Frost',
    text: 'Frost was raised in 1850 where bridgeheads were built. Ada Frost often painted the Lune Viaduct near Eskby.',
  },
  { docid: 'builder', title: 'Tom Hale', text: 'An engineer.' },
]

/** Twelve hits with scores from 12 to 1, and these at these ranks. The texts of the others are not at hand. */
const list = (
  retriever: string,
  text: string,
  stage: 1 | 2,
  ranks: Readonly<Record<string, number>>,
): RankedList => {
  const at = new Map(Object.entries(ranks).map(([docid, rank]) => [rank, docid]))
  const docids = Array.from({ length: 12 }, (_, place) => at.get(place + 1) ?? `${text} ${place}`)
  const kind = retriever === 'dense' ? 'dense' : 'lexical'
  return {
    retriever,
    kind,
    subQuery: { text, round: 1, ...(stage === 2 && { from: 'bridge' }) },
    hits: hits(...docids),
  }
}

const lists: readonly RankedList[] = [
  list('bm25', query.text, 1, { bridge: 1, painter: 3, builder: 9 }),
  list('dense', query.text, 1, { bridge: 1, painter: 2 }),
  list('bm25', 'Ada Frost', 1, { painter: 4 }),
  list('bm25', 'Lune', 2, { painter: 5 }),
  list('dense', 'Eskby', 1, { painter: 6 }),
  list('dense', 'Tom Hale', 2, { painter: 12 }),
]

function poolFeatures(asked: Query, found: readonly RankedList[], given: readonly Document[]): PoolFeatures {
  const reader = createReader(terms)
  const documentOf = (docid: string) => given.find((document) => document.docid === docid)
  const { retrieved, reads } = readPool(asked, found, documentOf, reader)
  return featuresOf(readQuestion(asked, reader.lexicon), retrieved, reads, reader.lexicon)
}
const features = poolFeatures(query, lists, documents)

type Values = Readonly<Record<string, number>>

/** A row of a table by the names of its inputs. */
const named = (table: Float32Array, row: number, names: readonly string[]): Values =>
  Object.fromEntries(names.map((name, place) => [name, table[row * names.length + place]!]))

/** All that is not expected to be something else is 0, but for near words: they have a test of their own. */
function expectValues(found: Values, expected: Values): void {
  expect(Object.keys(found)).toEqual(expect.arrayContaining(Object.keys(expected)))
  for (const [name, value] of Object.entries(found))
    if (!name.startsWith('near: ')) expect(value, name).toBeCloseTo(expected[name] ?? 0, 5)
}

const renamed = (values: Values, which: string): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${name} (${which})`, value]))

const ofPainter = {
  'lexical score ÷ best': 10 / 12,
  'lexical 1/rank': 1 / 3,
  'lexical ln rank': Math.log(3),
  'lexical best 1/rank of stage 1': 1 / 4,
  'lexical best 1/rank of stage 2': 1 / 5,
  // Behind the best by 1, and the last one by 11.
  'dense score − best': -1 / 11,
  'dense 1/rank': 1 / 2,
  'dense ln rank': Math.log(2),
  'dense best 1/rank of stage 1': 1 / 6,
  'dense best 1/rank of stage 2': 1 / 12,
  // The bridge is first in two lists.
  'fused ÷ best': (1 / 3 + 1 / 4 + 1 / 5 + 1 / 2 + 1 / 6 + 1 / 12) / 2,
  'share of lists with it in the first 10': 5 / 6,
  // Ada and Frost weigh 6, Mary 1. "Ada Frost" is first and last of three names.
  'title ∩ query ÷ query': 6 / 15,
  'title ∩ query ÷ title': 6 / 7,
  'words of the title mentioned': 2,
  'kind of the mention': 3,
  'share of title words in query': 2 / 3,
  'title is mentioned': 1,
  // "Eskby Hill" and "Ada Frost" weigh 4 and 6; the text has no hill.
  'title ∩ names ÷ names': 6 / 10,
  // Each has seven words of weight 3 and Mary, and with the bridge it shares two of them and Mary: 19 / 64. With the
  // builder, of a third of the share, it has nothing in common.
  'like the first documents': 19 / 64 / (1 + 1 / 3),
  // Frost and built in the first sentence, Ada, Frost, painted and Eskby in the second; bridgeheads begin like a bridge.
  'query in document': 11 / 15,
  'best sentence': 10 / 15,
  'first sentence': 4 / 15,
  // Of "Eskby Hill", "Ada Frost" and "Frost painted".
  'neighbours kept': 1 / 3,
  'names’ words in document': 9 / 10,
  'names in document': 1 / 2,
  'prefixes in document': 14 / 15,
  'same title': Math.log(2),
  length: Math.log(1 + 18) / 5,
  sentences: 2 / 10,
  'year in first sentence': 1,
  'looks like a person': 1,
  // Built (1) and viaduct of Tom Hale built viaduct; Lune and viaduct of Lune viaduct old, and of those and market.
  'last answer in document': 4 / 10,
  'last question in document': 2 / 3,
  'questions in document': 2 / 4,
}

const ofQuery = {
  'query: words': 11 / 20,
  'query: titles mentioned': 1 / 3,
  'query: names': 2 / 3,
  'query: who': 1,
  'query: second score ÷ best': 11 / 12,
  // All but built and painted.
  'query: best document covers': 13 / 15,
  'query: is a question': 1,
  'query: follows a conversation': 1,
  'query: refers back': 1,
}

/** From the bridge to the painter. Nothing of the question stands in the bridge's title: its rest is all. */
const toPainter = {
  // In full, with three words; beside it "Ada Frost" in its sentence, and "Eskby Hill" six words before.
  'link: kind': 3,
  'link: words': 3,
  'link: rest of the query in its sentence': 6 / 15,
  'link: rest of the query around it': 4 / 15,
  // Tom Hale is mentioned before. It is the third sentence.
  'link: 1/ordinal': 1 / 2,
  'link: 1/sentence': 1 / 3,
  // "Lune Viaduct", in two of three documents; it stands beside Ada, Frost, painted and Eskby.
  'shared names': 1,
  'shared names: rarest': Math.log(3 / 2) / Math.log(3),
  'shared names: best sentence': 10 / 15,
  'linked back': 0.2 + 10 / 15,
  // Built and painted, in two sentences.
  'adds to the seed': 2 / 15,
  'both cover': 15 / 15,
  'best sentence on what the seed lacks': 1 / 15,
  'best sentence on the rest': 10 / 15,
  'seed covers': 13 / 15,
  'rest of the query in title': 6 / 15,
  // Bridge, Eskby, Hill. It links to two.
  'seed: best sentence': 7 / 15,
  'seed: links': 2 / 20,
  // Mary is in the seed, but not in that sentence.
  'title in seed': 1 / 7,
  'title in seed or query': 7 / 7,
  'seed’s title in document': 1,
  // Lune and viaduct, but not below.
  'seed’s new words in document': 6 / 9,
  // Fifth and twelfth in the two lists of names from the bridge.
  'found from the seed: 1/rank': 1 / 5,
  // Painted stands beside the Lune Viaduct, built does not; no word there begins like either.
  'shared names: on what the seed lacks': 1 / 15,
  'shared names: kin on what the seed lacks': 1 / 15,
  'best kin on what the seed lacks': 1 / 15,
  // "Ada Frost" in the sentence of the bridge that mentions the painter.
  'mention: kin of the rest of the query': 6 / 15,
}

describe('featuresOf', () => {
  it('has what is known of a document and of the question', () => {
    expectValues(named(features.first, painter, firstInputs), { ...ofPainter, ...ofQuery })
    expectValues(named(features.query, 0, queryFeatures), ofQuery)
  })

  it('adds the ways from the seeds, times their probability', () => {
    // The builder has no share, so that all comes from the bridge, and the cosine is that with the bridge.
    const second = features.second([0.5, 0.25, 0])
    expectValues(named(second, painter, secondInputs), {
      ...ofPainter,
      ...ofQuery,
      'seed: probability': 0.25,
      'seed: place': 1 / 2,
      'like the seeds': 19 / 64,
      ...Object.fromEntries(Object.entries(toPainter).map(([name, value]) => [name, value / 2])),
    })
  })

  it('takes of several ways the best, feature by feature', () => {
    // The painter mentions the bridge in full (3) and covers the question with it (1), the builder leaves it at 13/15.
    const second = features.second([0, 0.5, 0.75])
    expect(named(second, bridge, secondInputs)).toMatchObject({
      'link: kind': 0.5 * 3,
      'both cover': expect.closeTo(0.75 * (13 / 15), 5),
      'seed named in the query': 0.5,
    })
    // For the painter the builder is the only other one, and mentions nobody.
    expect(named(second, painter, secondInputs)).toMatchObject({ 'link: kind': 0, 'link: 1/sentence': 0 })
  })

  it('knows documents of the same title, by its longest mention', () => {
    const asked = { text: 'Was Ada Mary Frost called Ada Frost?' }
    const text = 'She was born here.'
    const title = 'Ada Mary Frost (painter)'
    const given = [
      { docid: 'a', title, text },
      { docid: 'b', title, text },
      { docid: 'c', text },
    ]
    const found = [list('bm25', asked.text, 1, { a: 1, b: 2, c: 3 })]
    const second = poolFeatures(asked, found, given).second([0.5, 0.5, 0])
    const [titled, untitled] = [0, 2].map((row) => named(second, row, secondInputs))
    expect(titled).toMatchObject({
      'words of the title mentioned': 3,
      'kind of the mention': 1,
      'same title': expect.closeTo(Math.log(3), 5),
      born: 1,
      'same title as the seed': 0.5,
      'both named in the query': 0.5,
    })
    expect(untitled).toMatchObject({ 'same title': 0, 'same title as the seed': 0 })
  })

  it('has of two documents what each is, and the ways between them', () => {
    const groups = features.groups([bridge, painter, builder], [-0.5, -2, -20])
    const ofPair = named(groups, 1, pairInputs)
    const ofBridge = named(features.first.subarray(0, documentFeatures.length), 0, documentFeatures)
    const expected = {
      alone: 0,
      'log probability of the first': -0.5,
      'log probability of the second': -2,
      'the first’s lead': 1.5,
      // Below -12 all are alike.
      'the second’s lead': 10,
      'highest probability': Math.exp(-0.5),
      places: 1,
      ...renamed(toPainter, 'first to second'),
      'link: words (second to first)': 2,
      'shared names: is the title (second to first)': 1,
      'seed named in the query (second to first)': 1,
      'title in the seed’s best sentence (second to first)': 1,
      // Of often, Lune, viaduct and near.
      'seed’s new words in document (second to first)': 1 / 2,
      'lexical score ÷ best (first)': 1,
      'last answer in document (first)': 9 / 10,
      ...renamed(ofPainter, 'second'),
      ...ofQuery,
    }
    expectValues(Object.fromEntries(Object.keys(expected).map((name) => [name, ofPair[name]!])), expected)
    expectValues(named(groups, 0, pairInputs), {
      alone: 1,
      'log probability of the first': -0.5,
      'the first’s lead': 1.5,
      'highest probability': Math.exp(-0.5),
      ...renamed(ofBridge, 'first'),
      ...ofQuery,
    })
  })

  it('is finite and as wide as its names, whatever the texts', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom(...foreignQuestions, query.text, ...documents.map((document) => document.text)),
    )
    const some = fc.array(fc.record({ title: text, text }), { maxLength: 14 })
    fc.assert(
      fc.property(
        text,
        some,
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        (asked, made, draw) => {
          const given = made.map((document, index) => ({ docid: `d${index}`, ...document }))
          const found = given.map(({ docid }, index) =>
            list(index % 2 ? 'dense' : 'bm25', asked, 1, { [docid]: 1 }),
          )
          const { rows, first, second, groups } = poolFeatures({ text: asked }, found, given)
          const probabilities = given.map(() => draw.next().value as number)
          const top = [...given.keys()].slice(0, 12)
          const tables = [first, second(probabilities), groups(top, probabilities.map(Math.log))]
          expect(rows).toBe(given.length)
          expect(tables.map(({ length }) => length)).toEqual([
            rows * firstInputs.length,
            rows * secondInputs.length,
            groupsOf(top.length).length * pairInputs.length,
          ])
          for (const table of tables) expect(table.every(Number.isFinite)).toBe(true)
        },
      ),
      { numRuns: 50 },
    )
  })
})
