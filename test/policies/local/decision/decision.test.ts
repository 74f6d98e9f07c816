import { describe, expect, it } from 'vitest'
import {
  type Decision,
  prepareChoice,
  prepareDecision,
} from '../../../../policies/local/decision/decision.ts'
import type { Effort } from '../../../../policies/local/decision/effort.ts'
import { gainInputs, gainRow } from '../../../../policies/local/decision/gain.ts'
import type { TextLimits } from '../../../../policies/local/decision/plans.ts'
import { explainScore } from '../../../../src/learn/scorer.ts'
import { createReader } from '../../../../src/text/reader.ts'
import type { Document, RankedList } from '../../../../src/types.ts'
import { expectError } from '../../../support/expect-error.ts'
import { emptyStage, planOf } from '../../../support/prepared.ts'
import { hits } from '../../../support/scripted.ts'
import { decisionBy, gainBy, linear, randomDecision } from '../../../support/small-scorers.ts'

const text = 'Who built the bridge that Ada Frost painted in Eskby, and the viaduct of Tom Hale?'
const documents: readonly Document[] = [
  { docid: 'a', title: 'Ada Frost', text: 'Ada Frost painted the Lune Viaduct. She lived in Eskby.' },
  {
    docid: 'b',
    title: 'Eskby',
    text: 'Eskby has a bridge, the Lune Viaduct, and a market. Tom Hale was mayor.',
  },
]
const documentOf = (docid: string) => documents.find((document) => document.docid === docid)
const lists: readonly RankedList[] = [
  { retriever: 'bm25', subQuery: { text, round: 0 }, hits: hits('a', 'b') },
]
const noLimits: TextLimits = { maxTexts: 20, maxSecondStage: 12 }
const newReader = () => createReader({ documents: 100, stems: { 60: 'built who' } })

const decide = (weights: Readonly<Record<string, number>>, limits: Partial<TextLimits> = {}): Decision =>
  prepareDecision(decisionBy(weights), newReader())({ text }, lists, documentOf, { ...noLimits, ...limits })

const textsOf = ({ plan }: Decision): string[] => (plan?.texts ?? []).map((one) => one.text)

describe('prepareChoice', () => {
  const [parts, names] = [planOf('parts', [{ text: 'one' }]), planOf('names and bridges', [{ text: 'two' }])]
  const choose = (ofParts: number, ofNames: number, effort?: Effort) =>
    prepareChoice(
      [gainBy({ 'plan: parts': ofParts, 'plan: names and bridges': ofNames })],
      effort,
    )({
      stage: emptyStage(),
      plans: [parts, names],
    })

  it('takes the plan that gains most, if it is worth a request', () => {
    expect(choose(0.03, 0.05)).toMatchObject({ plan: names, isSure: true })
    expect(choose(0.05, 0.03)).toMatchObject({ plan: parts, isSure: true })
    expect(choose(0.03, 0.05).gains).toEqual([expect.closeTo(0.03, 6), expect.closeTo(0.05, 6)])
    // The first of equal ones.
    expect(choose(0.05, 0.05).plan).toBe(parts)
    expect(choose(0.01, 0.015).plan).toBeUndefined()
  })

  it('asks for 5, 2 or half a point, by effort', () => {
    const taken = (effort?: Effort) =>
      [0.06, 0.03, 0.01, 0.001].filter((gain) => choose(gain, -1, effort).plan)
    expect(taken('low')).toEqual([0.06])
    expect(taken('medium')).toEqual([0.06, 0.03])
    expect(taken('high')).toEqual([0.06, 0.03, 0.01])
    expect(taken()).toEqual(taken('medium'))
  })

  it('is sure to leave a query alone only where every plan would lose three points', () => {
    expect(choose(-0.04, -0.07)).toMatchObject({ isSure: true })
    expect(choose(-0.04, -0.02)).toMatchObject({ isSure: false })
    expect(choose(0.01, -1)).toMatchObject({ isSure: false })
    expect(prepareChoice([gainBy()])({ stage: emptyStage(), plans: [] })).toEqual({ isSure: true, gains: [] })
  })
})

describe('the decision', () => {
  it('searches the texts of the best plan, or leaves the query alone', () => {
    const names = decide({ 'plan: names and bridges': 0.1 })
    expect(names.plan?.name).toBe('names and bridges')
    expect(textsOf(names)).toEqual(expect.arrayContaining(['Ada Frost', 'Eskby', 'Lune Viaduct']))
    expect(decide({ 'plan: parts': 0.1 }).plan?.name).toBe('parts')
    expect(decide({})).not.toHaveProperty('plan')
  })

  it('tells all plans, the best first, and what speaks for it', () => {
    const { considered } = decide({
      'plan: parts': 0.04,
      'plan: names and bridges': 0.01,
      'plan: bridges': 0.03,
    })
    expect(considered.plans.map(({ plan }) => plan)).toEqual(['parts', 'names and bridges'])
    expect(considered.plans[0]!.gain).toBeGreaterThan(considered.plans[1]!.gain)
    expect(considered.cost).toBe(0.02)
    // The networks learn what exceeds 0.02; there are two bridges, of three.
    expect(considered.inputs).toEqual([
      { name: 'plan: bridges', part: expect.closeTo(0.02, 6) },
      { name: 'plan: parts', part: expect.closeTo(0.02, 6) },
    ])
    const reversed = decide({ 'plan: parts': 0.01, 'plan: names and bridges': 0.04 })
    expect(reversed.considered.plans.map(({ plan }) => plan)).toEqual(['names and bridges', 'parts'])
  })

  it('judges a plan by the texts that may be searched', () => {
    // Each text is worth 5 points, so that the plan with more of them is best.
    const weights = { 'plan: texts': 0.25, 'plan: parts': 0.001 }
    for (const maxTexts of [4, 3, 2, 1]) {
      const decision = decide(weights, { maxTexts })
      expect(textsOf(decision).length).toBeLessThanOrEqual(maxTexts)
      const [best] = decision.considered.plans
      expect(best!.subQueries).toEqual(textsOf(decision))
      expect(best!.gain).toBeCloseTo(0.05 * best!.subQueries.length + (best!.plan === 'parts' ? 0.001 : 0), 6)
    }
    expect(decide(weights, { maxTexts: 0 })).toMatchObject({
      plans: [],
      isSure: true,
      considered: { inputs: [] },
    })
  })

  it('does without bridges, or some of them, where it may not have them', () => {
    const bridges = (maxSecondStage: number) =>
      decide({ 'plan: names and bridges': 0.1 }, { maxSecondStage }).plan!.texts.filter(({ from }) => from)
        .length
    expect([12, 2, 1, 0].map(bridges)).toEqual([expect.toSatisfy((all: number) => all >= 2), 2, 1, 0])
  })

  it('tells the parts of which its prediction consists', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const section = randomDecision(seed)
      const decision = prepareDecision(section, newReader())({ text }, lists, documentOf, noLimits)
      const best = decision.plans.find(({ name }) => name === decision.considered.plans[0]!.plan)!
      const row = gainRow(decision.stage, best)
      const explained = section.gains.map((scorer) => explainScore(scorer, row).parts)
      expect(decision.considered.inputs.length).toBeGreaterThan(0)
      for (const { name, part } of decision.considered.inputs) {
        const [one, other] = explained.map((parts) => parts[gainInputs.indexOf(name)]!)
        expect(part).toBeCloseTo((one! + other!) / 2, 12)
      }
      const sizes = decision.considered.inputs.map(({ part }) => Math.abs(part))
      expect(sizes).toEqual([...sizes].sort((a, b) => b - a))
    }
  })

  it('is the same for the same input, whatever was decided before', () => {
    const decideHere = prepareDecision(randomDecision(3), newReader())
    const first = decideHere({ text }, lists, documentOf, noLimits)
    decideHere({ text: 'Which market has Tom Hale opened?' }, [...lists].reverse(), documentOf, noLimits)
    expect(decideHere({ text }, lists, documentOf, noLimits)).toEqual(first)
    expect(prepareDecision(randomDecision(3), newReader())({ text }, lists, documentOf, noLimits)).toEqual(
      first,
    )
  })

  it('refuses scorers of other features', () => {
    const section = decisionBy()
    const other = linear(['moon phase'])
    for (const changed of [{ seeds: other }, { bridges: other }, { gains: [other] }])
      expectError(
        () => prepareDecision({ ...section, ...changed }, newReader()),
        'bad-config',
        `decision.${Object.keys(changed)[0]}`,
      )
  })
})
