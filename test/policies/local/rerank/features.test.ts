import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  featuresOf,
  firstInputs,
  type PoolFeatures,
  secondInputs,
} from '../../../../policies/local/rerank/features.ts'
import { groupsOf, pairInputs } from '../../../../policies/local/rerank/group-features.ts'
import { queryFeatures } from '../../../../policies/local/rerank/query-features.ts'
import { readQuestion } from '../../../../policies/local/rerank/question.ts'
import { createReader } from '../../../../src/text/reader.ts'
import type { Document, Query, RankedList } from '../../../../src/types.ts'
import { expectGoldenRows } from '../../../support/golden-rows.ts'
import { conversation, foreignQuestions } from '../../../support/question.ts'
import { readPool } from '../../../support/read-pool.ts'
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

describe('featuresOf', () => {
  it('gives the features that scorers were trained on', () => {
    const groups = features.groups([bridge, painter, builder], [-0.5, -2, -20])
    expectGoldenRows('local-features', {
      first: named(features.first, painter, firstInputs),
      second: named(features.second([0.5, 0.25, 0]), painter, secondInputs),
      pair: named(groups, 1, pairInputs),
    })
  })

  it('takes no text for longer than those that the networks have learned from', () => {
    const sized = (sentences: number): Values => {
      const text = 'The market is held on a hill. '.repeat(sentences)
      return named(
        poolFeatures(query, lists, [{ docid: 'bridge', title: 'Fair', text }]).first,
        0,
        firstInputs,
      )
    }
    const [short, long, longer] = [sized(3), sized(60), sized(400)]
    for (const input of ['length', 'sentences']) {
      expect(long[input]).toBeGreaterThan(short[input]!)
      expect(longer[input]).toBe(long[input])
    }
  })

  it('says the same of the question beside every document, and of a document alone before seeds are known', () => {
    const second = features.second([0.5, 0.25, 0])
    for (const row of [bridge, painter, builder]) {
      const of = named(features.first, row, firstInputs)
      expect(of).toMatchObject(named(features.query, 0, queryFeatures))
      // Near words are read only then.
      const { 'seed: probability': _, ...later } = named(second, row, secondInputs)
      expect(later).toMatchObject(of)
    }
  })

  it('weighs the ways from a seed by its probability, and takes the best way feature by feature', () => {
    const probability = fc.float({ min: 0, max: 1, noNaN: true })
    const ways = secondInputs.filter((name) => /^(link|shared names|mention|both|adds)/.test(name))
    const from = (...shares: readonly number[]): Values =>
      named(features.second(shares), painter, secondInputs)
    fc.assert(
      fc.property(probability, probability, (one, other) => {
        const [alone, beside, both] = [from(one, 0, 0), from(0, 0, other), from(one, 0, other)]
        for (const name of ways) {
          expect(from(0, 0, 0)[name], name).toBe(0)
          expect(both[name], name).toBeCloseTo(Math.max(alone[name]!, beside[name]!), 5)
          expect(alone[name], name).toBeCloseTo(Math.fround(from(1, 0, 0)[name]!) * one, 5)
        }
      }),
      { numRuns: 30 },
    )
  })

  it('has of a pair what it has of each, and the ways both ways', () => {
    const groups = features.groups([bridge, painter, builder], [-0.5, -2, -20])
    const places = groupsOf(3)
    const mirror = named(features.groups([painter, bridge, builder], [-2, -0.5, -20]), 1, pairInputs)
    const pair = named(groups, 1, pairInputs)
    expect(places).toHaveLength(groups.length / pairInputs.length)
    for (const name of pairInputs.filter((one) => one.endsWith('(first to second)')))
      expect(mirror[name.replace('first to second', 'second to first')], name).toBe(pair[name])
    expect([named(groups, 0, pairInputs).alone, pair.alone]).toEqual([1, 0])
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
