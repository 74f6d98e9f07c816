import fc from 'fast-check'
import { expect, it } from 'vitest'
import { evidenceFeatures } from '../../../../policies/local/decision/evidence.ts'
import {
  prepareSecondStage,
  type SecondStageModels,
} from '../../../../policies/local/decision/second-stage.ts'
import type { Scorer } from '../../../../src/learn/scorer.ts'
import { createReader } from '../../../../src/text/reader.ts'
import type { Document, Hit } from '../../../../src/types.ts'
import { expectGoldenRows } from '../../../support/golden-rows.ts'
import { foreignQuestions } from '../../../support/question.ts'
import { decisionBy, randomDecision } from '../../../support/small-scorers.ts'

/** All stems weigh the same, so that shares of a question can be counted. */
const terms = { documents: 100, stems: {} }

const documents: readonly Document[] = [
  { docid: 'frost', title: 'Ada Frost', text: 'Ada Frost painted the Lune Viaduct. She lived in Eskby.' },
  { docid: 'viaduct', title: 'Lune Viaduct', text: 'The Lune Viaduct is a bridge. Tom Hale built it.' },
]
const scores = [8, 4]

function evidence(
  text: string,
  found: readonly Document[] = documents,
  models: SecondStageModels = decisionBy({}),
): (name: string) => number {
  const hits = found.map(({ docid }, place): Hit => ({ docid, rank: place + 1, score: scores[place]! }))
  const lists = [{ retriever: 'bm25', subQuery: { text, round: 0 }, hits }]
  const look = prepareSecondStage(models, createReader(terms))
  const row = look({ text }, lists, (docid) => found.find((one) => one.docid === docid)).evidence
  expect(row).toHaveLength(evidenceFeatures.length)
  return (name) => row[evidenceFeatures.indexOf(name)]!
}

it('is what the networks were trained on', () => {
  const rowOf = (text: string): Record<string, number> => {
    const of = evidence(text)
    return Object.fromEntries(evidenceFeatures.map((name) => [name, of(name)]))
  }
  expectGoldenRows('local-evidence', {
    chain: rowOf('Who built the bridge that Ada Frost painted?'),
    inside: rowOf('The bridge of the painter was built by whom'),
    words: rowOf('lune viaduct 1850'),
  })
})

it('is the same however high the scores of a training are, since only their differences were learned', () => {
  const higher = (scorer: Scorer): Scorer => ({
    ...scorer,
    hidden: [{ bias: 1, weights: scorer.inputs.map(() => 0), out: 7 }],
  })
  const models = randomDecision(1)
  const raised = { seeds: higher(models.seeds), bridges: higher(models.bridges) }
  const asked = 'Who built the bridge that Ada Frost painted?'
  const [one, other] = [models, raised].map((some) => evidence(asked, documents, some))
  for (const name of evidenceFeatures) expect(other!(name), name).toBeCloseTo(one!(name), 5)
})

it('is finite whatever was asked and found', () => {
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
