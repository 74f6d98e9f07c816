import { describe, expect, it } from 'vitest'
import { evidenceFeatures } from '../../../../policies/local/decision/evidence.ts'
import { gainInputs, gainRow, learnedCost, prepareGains } from '../../../../policies/local/decision/gain.ts'
import type { Plan } from '../../../../policies/local/decision/plans.ts'
import { expectError } from '../../../support/expect-error.ts'
import { emptyStage, planOf } from '../../../support/prepared.ts'
import { gainBy, linear } from '../../../support/small-scorers.ts'

const conversation = planOf('conversation', [{ text: 'one' }])
const names = planOf('names and bridges', [
  { text: 'one' },
  { text: 'two', from: 'a' },
  { text: 'three', from: 'b' },
])

describe('gainRow', () => {
  it('has a value for each name, and each name once', () => {
    expect(gainRow(emptyStage(), names)).toHaveLength(gainInputs.length)
    expect(new Set(gainInputs).size).toBe(gainInputs.length)
  })

  it('is the evidence and the plan', () => {
    const stage = emptyStage()
    stage.evidence[evidenceFeatures.indexOf('query: names')] = 0.5
    stage.evidence[evidenceFeatures.indexOf('seeds: first covers')] = 0.25
    const [own, first, second] = names.texts
    const plan: Plan = {
      ...names,
      texts: [
        { ...own!, found: 0.5 },
        { ...first!, probability: 0.5, gap: 0, found: 1 },
        { ...second!, probability: 0.25, gap: -0.5, found: 0.125 },
      ],
    }
    const row = gainRow(stage, plan)
    expect(
      Object.fromEntries(
        gainInputs.map((name, input) => [name, row[input]] as const).filter(([, value]) => value !== 0),
      ),
    ).toEqual({
      'query: names': 0.5,
      'seeds: first covers': 0.25,
      'plan: names and bridges': 1,
      'plan: texts': Math.fround(3 / 5),
      'plan: texts found': 0.5,
      'plan: bridges': Math.fround(2 / 3),
      'plan: probability of its bridges': 0.75,
      'plan: gap of its bridges': -0.5,
      'plan: bridges found': 1.125,
      'plan: seeds of its bridges': 1,
    })
  })
})

describe('prepareGains', () => {
  it('predicts the mean of the networks for each plan, beyond what a request usually costs', () => {
    const predict = prepareGains([
      gainBy({ 'plan: conversation': 0.3 }),
      gainBy({ 'plan: conversation': 0.1 }),
    ])
    expect(predict(emptyStage(), [conversation, names])).toEqual([
      expect.closeTo(0.2, 6),
      expect.closeTo(0, 6),
    ])
    expect(prepareGains([linear(gainInputs)])(emptyStage(), [names])).toEqual([learnedCost])
    expect(predict(emptyStage(), [])).toEqual([])
  })

  it('refuses networks of other features', () => {
    expectError(
      () => prepareGains([gainBy(), linear(['moon phase'])]),
      'bad-config',
      /gains\[1\].*"moon phase"/,
    )
  })
})
