import { describe, expect, it } from 'vitest'
import { actionInputs } from '../../../policies/local/actions.ts'
import { type Decision, prepareDecision } from '../../../policies/local/decision.ts'
import { explainScore } from '../../../src/learn/scorer.ts'
import { createReader } from '../../../src/text/reader.ts'
import type { Document, RankedList } from '../../../src/types.ts'
import { expectError } from '../../support/expect-error.ts'
import { hits } from '../../support/scripted.ts'
import { decisionBy, linear, randomDecision } from '../../support/small-scorers.ts'

const text = 'Who built the bridge that Ada Frost painted in Eskby?'
const documents: readonly Document[] = [
  { docid: 'a', title: 'Ada Frost', text: 'Ada Frost painted the Lune Viaduct. She lived in Eskby.' },
  {
    docid: 'b',
    title: 'Eskby',
    text: 'Eskby has a bridge, the Lune Viaduct, and a market. Tom Hale was mayor.',
  },
]
const lists: readonly RankedList[] = [
  { retriever: 'bm25', subQuery: { text, round: 1 }, hits: hits('a', 'b') },
]

function decide(
  weights: Readonly<Record<string, number>>,
  maxOfSecondStage?: number,
  maxTexts?: number,
): Decision {
  const reader = createReader({ documents: 100, stems: { 60: 'built who' } })
  const documentOf = (docid: string) => documents.find((document) => document.docid === docid)
  return prepareDecision(decisionBy(weights), reader, { maxOfSecondStage })(
    { text },
    lists,
    documentOf,
    maxTexts,
  )
}

const textsOf = ({ candidates, choices, choice }: Decision): string[] =>
  choices[choice]!.members.map((member) => candidates[member]!.text)

describe('the decision', () => {
  it('leaves the query alone where nothing speaks against it', () => {
    for (const weights of [{}, { 'the query as it is votes': 1 }, { 'has names': -1, 'has bridge 1': -1 }]) {
      const decision = decide(weights)
      expect(decision.choice).toBe(0)
      expect(decision.choices[0]).toEqual({ members: [], withOriginal: true })
      expect(decision.choices.length).toBeGreaterThan(5)
    }
  })

  it('takes the set with the highest score', () => {
    const names = decide({ 'has names': 1, 'the query as it is votes': -1 })
    expect(textsOf(names)).toEqual(['Ada Frost', 'Eskby'])
    expect(names.choices[names.choice]!.withOriginal).toBe(false)
    // A bridge is a name of the documents that the question has not, and is said by whom it was found.
    const bridge = decide({ 'has bridge 1': 1, 'lists: 2': 1 })
    expect(textsOf(bridge)).toEqual(['Lune Viaduct'])
    const { candidates, choices, choice } = bridge
    expect(candidates[choices[choice]!.members[0]!]).toMatchObject({ from: 'a', place: 1 })
  })

  it('is sure of what outweighs all other sets by far', () => {
    expect(decide({}).isSure).toBe(false)
    expect(decide({ 'lists: 1': 9, 'the query as it is votes': 9 })).toMatchObject({
      choice: 0,
      isSure: true,
    })
  })

  it('does without the second stage, or a part of it, where it may not have it', () => {
    const weights = { 'has bridge 1': 2, 'has bridge 2': 1, 'has keywords': 0.5 }
    expect(decide(weights).considered.best[0]!.subQueries).toContain('Lune Viaduct')
    const most = (limit: number): number => {
      const { candidates, choices, choice } = decide(weights, limit)
      return choices[choice]!.members.filter((member) => candidates[member]!.from !== undefined).length
    }
    expect([2, 1, 0].map(most)).toEqual([2, 1, 0])
  })

  it('takes the best of the sets that are small enough', () => {
    const weights = { 'has names': 2, 'has bridge 1': 1 }
    const within = (maxTexts?: number): string[] => textsOf(decide(weights, undefined, maxTexts))
    expect(within()).toEqual(['Ada Frost', 'Eskby', 'Lune Viaduct'])
    expect([3, 2, 1, 0].map(within)).toEqual([
      ['Ada Frost', 'Eskby', 'Lune Viaduct'],
      ['Ada Frost', 'Eskby'],
      ['Lune Viaduct'],
      [],
    ])
  })

  it('tells what it considered: the probabilities of the best, and what the inputs added', () => {
    const { considered, features, choice, choices } = decide({ 'has names': 1, 'lists: 3': 0.5 })
    expect(considered.choices).toBe(choices.length)
    expect(considered.best).toHaveLength(5)
    // Each of the two names is in the same sets, and likelier than what nothing speaks for.
    const [first, second, third] = considered.candidates
    expect([first, second]).toMatchObject([{ text: 'Ada Frost' }, { text: 'Eskby' }])
    expect(first).toMatchObject({ kind: 'name', probability: second!.probability })
    expect(second!.probability).toBeGreaterThan(third!.probability)
    const probabilities = considered.best.map(({ probability }) => probability)
    expect(probabilities).toEqual([...probabilities].sort((a, b) => b - a))
    expect(considered.best[0]).toMatchObject({ subQueries: ['Ada Frost', 'Eskby'], withOriginal: true })
    // Two names beside the query: 1 for the names and 0.5 for three lists; as it is: neither.
    expect(considered.inputs).toEqual([
      { name: 'has names', part: 1 },
      { name: 'lists: 3', part: 0.5 },
    ])
    // The probability is that of a softmax: to the one of the query as it is, it stands as e^1.5 to 1.
    const sum = choices.reduce((total, _, place) => total + Math.exp(scoreOf(place)), 0)
    expect(probabilities[0]).toBeCloseTo(Math.exp(1.5) / sum, 12)

    function scoreOf(place: number): number {
      return explainScore(
        linear(actionInputs, { 'has names': 1, 'lists: 3': 0.5 }),
        features.subarray(place * actionInputs.length),
      ).score
    }
    expect(scoreOf(choice) - scoreOf(0)).toBeCloseTo(1.5, 12)
  })

  it('tells the parts of which its lead over the query as it is consists', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const section = randomDecision(seed)
      const decision = prepareDecision(section, createReader({ documents: 100, stems: {} }))(
        { text },
        lists,
        (docid) => documents.find((document) => document.docid === docid),
      )
      const scoreOf = (place: number) => explainScore(section.choice, decision.features, place)
      const [chosen, asIs] = [scoreOf(decision.choice), scoreOf(0)]
      expect(chosen.score).toBeGreaterThanOrEqual(asIs.score)
      const parts = chosen.parts.map((part, input) => part - asIs.parts[input]!)
      for (const { name, part } of decision.considered.inputs)
        expect(part).toBeCloseTo(parts[actionInputs.indexOf(name)]!, 12)
      expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(chosen.score - asIs.score, 9)
    }
  })

  it('is the same for the same input, whatever was decided before', () => {
    const reader = createReader({ documents: 100, stems: {} })
    const decideHere = prepareDecision(randomDecision(3), reader)
    const documentOf = (docid: string) => documents.find((document) => document.docid === docid)
    const first = decideHere({ text }, lists, documentOf)
    decideHere({ text: 'Which market has Tom Hale opened?' }, [...lists].reverse(), documentOf)
    expect(decideHere({ text }, lists, documentOf)).toEqual(first)
    expect(
      prepareDecision(randomDecision(3), createReader({ documents: 100, stems: {} }))(
        { text },
        lists,
        documentOf,
      ),
    ).toEqual(first)
  })

  it('refuses scorers of other features', () => {
    const section = decisionBy({})
    for (const part of ['seeds', 'bridges', 'choice'] as const) {
      const other = { ...section, [part]: linear(['moon phase']) }
      expectError(
        () => prepareDecision(other, createReader({ documents: 1, stems: {} })),
        'bad-config',
        `decision.${part}`,
      )
    }
  })
})
