import { describe, expect, it } from 'vitest'
import { actionInputs, setInputs } from '../../../policies/local/actions.ts'
import { bestOf, prepareChoice } from '../../../policies/local/choose.ts'
import type { Effort } from '../../../policies/local/effort.ts'
import { evidenceFeatures } from '../../../policies/local/gate/evidence.ts'
import { gateInputs, gateRow, learnedCost } from '../../../policies/local/gate/gate.ts'
import { contextFeatures } from '../../../policies/local/query-context.ts'
import { expectError } from '../../support/expect-error.ts'
import { linear } from '../../support/small-scorers.ts'

/** Three sets: the query alone, one with a sub-query, one with two. */
const choices = [{ members: [] }, { members: [0] }, { members: [0, 1] }]
const input = (name: string): number => actionInputs.indexOf(name)

function weighed(found = 0) {
  const features = new Float32Array(choices.length * actionInputs.length)
  choices.forEach(({ members }, place) => {
    features[place * actionInputs.length + input(`lists: ${members.length + 1}`)] = 1
  })
  const evidence = new Float32Array(evidenceFeatures.length)
  evidence[evidenceFeatures.indexOf('coverage: first document')] = found
  return { stage: { query: new Float32Array(contextFeatures.length), evidence }, choices, features }
}

const choice = linear(actionInputs, { 'lists: 1': 2, 'lists: 2': 1, 'lists: 3': 0.5 })
/** Ten points for the set with one sub-query, less a point for each tenth that the first document covers. */
const gate = [linear(gateInputs, { 'coverage: first document': -0.1, 'lists: 2': 0.1 - learnedCost })]

describe('bestOf', () => {
  it('is the place of the highest score, the first of equal ones', () => {
    expect(bestOf([1, 3, 2])).toBe(1)
    expect(bestOf([2, 2, 2])).toBe(0)
    expect(bestOf([0, -Infinity, 1, 1])).toBe(2)
  })

  it('is among those that are allowed and possible, or −1', () => {
    expect(bestOf([5, 1, 2], (place) => place > 0)).toBe(2)
    expect(bestOf([5], () => false)).toBe(-1)
    expect(bestOf([5, -Infinity], (place) => place > 0)).toBe(-1)
  })
})

describe('prepareChoice', () => {
  const at = (found: number, effort?: Effort) => prepareChoice({ choice, gate }, effort)(weighed(found))

  it('takes the set with the highest score where there is no gate', () => {
    const chosen = prepareChoice({ choice })(weighed())
    expect(chosen).toMatchObject({ choice: 0, isSure: false })
    expect(chosen.gain).toBeUndefined()
    expect([...chosen.probabilities].reduce((sum, one) => sum + one)).toBeCloseTo(1, 12)
  })

  it('takes the best set that searches something if its gain is above what a request has to bring', () => {
    // The query alone scores highest, and does not matter: the gate compares the best other set with it.
    expect(at(0)).toMatchObject({ choice: 1, isSure: true, gain: expect.closeTo(0.1, 6) })
    expect(at(0.5)).toMatchObject({ choice: 1, gain: expect.closeTo(0.05, 6) })
    expect(at(1)).toMatchObject({ choice: 0, isSure: false, gain: expect.closeTo(0, 6) })
    expect(at(1.5)).toMatchObject({ choice: 0, isSure: true, gain: expect.closeTo(-0.05, 6) })
  })

  it('asks for 5, 2 or half a point, by effort', () => {
    const searched = (effort: Effort) =>
      [0, 0.3, 0.6, 0.7, 0.9, 1].filter((found) => at(found, effort).choice > 0)
    expect(searched('low')).toEqual([0, 0.3])
    expect(searched('medium')).toEqual([0, 0.3, 0.6, 0.7])
    expect(searched('high')).toEqual([0, 0.3, 0.6, 0.7, 0.9])
  })

  it('never takes a set that is ruled out', () => {
    const choose = prepareChoice({ choice, gate })
    expect(choose(weighed(), (place) => place === 1)).toMatchObject({
      choice: 0,
      gain: expect.closeTo(learnedCost, 6),
    })
    const none = choose(weighed(), (place) => place > 0)
    expect(none).toMatchObject({ choice: 0, isSure: true })
    expect(none.gain).toBeUndefined()
  })

  it('refuses a gate of other features', () => {
    expectError(
      () => prepareChoice({ choice, gate: [linear(['moon phase'])] }),
      'bad-config',
      /decision\.gate\[0\].*"moon phase"/,
    )
  })
})

describe('gateRow', () => {
  it('holds the query, the evidence, the set, and how the policy sees it', () => {
    const row = gateRow(weighed(0.25), 2, [0.5, 0.3, 0.2])
    const value = (name: string): number => row[gateInputs.indexOf(name)]!
    expect(row).toHaveLength(gateInputs.length)
    expect(value('coverage: first document')).toBe(0.25)
    expect([value('lists: 2'), value('lists: 3')]).toEqual([0, 1])
    expect(value('set: probability')).toBeCloseTo(0.2, 6)
    // 0.3 · 1 + 0.2 · 2 sub-queries, in fives.
    expect(value('set: expected sub-queries')).toBeCloseTo(0.7 / 5, 6)
    expect(value('set: number of sets')).toBeCloseTo(3 / 50, 6)
  })

  it('has one name for each input', () => {
    expect(new Set(gateInputs).size).toBe(gateInputs.length)
    expect(gateInputs).toHaveLength(contextFeatures.length + evidenceFeatures.length + setInputs.length + 3)
  })
})
