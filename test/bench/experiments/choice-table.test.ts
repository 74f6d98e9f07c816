import { describe, expect, it } from 'vitest'
import { choiceTable, problemOf } from '../../../bench/experiments/choice-table.ts'
import { measureNames } from '../../../bench/experiments/measures.ts'
import { rrf } from '../../../fusion/rrf.ts'
import { actionInputs, shapeInputs } from '../../../policies/local/actions.ts'
import { choiceProblem } from '../../../policies/local/training/action-space.ts'
import { prepared } from '../../support/prepared.ts'

const one = prepared({
  qid: 'a',
  golds: ['x', 'y'],
  asIs: ['x', 'o', 'p'],
  found: { name: ['y', 'o'], keywords: ['p', 'x', 'y'], bridge: ['q', 'y'] },
})
const reward = { eta: 0.6, kStar: 0, cost: 0.1 }

describe('choiceTable', () => {
  it('measures what a choice finds', () => {
    // As it is: x first, y not at all: 0.6 · 2; one of two documents; the first one of two for nDCG: 1 / (1 + 1 / log2 3).
    const measured = choiceTable(one, reward).measures(0)
    expect(measureNames).toEqual(['reward', 'recall@2', 'recall@5', 'ndcg@10', 'mrr@3'])
    const ndcg = 1 / (1 + 1 / Math.log2(3))
    for (const [place, expected] of [1.2, 0.5, 0.5, ndcg, 1].entries())
      expect(measured[place]).toBeCloseTo(expected, 12)
  })

  it.each([undefined, rrf()])('rewards as the trainer does, without the price', (fusion) => {
    const { cost: _, ...free } = reward
    const table = choiceTable(one, reward, fusion)
    const problem = choiceProblem(one, { ...free, ...(fusion && { fusion }) })
    for (const stage of [1, 2] as const)
      for (let choice = 0; choice < problem.actions; choice++)
        expect(table.reward(choice, stage)).toBeCloseTo(problem.reward(choice, stage), 12)
  })

  it('tells sizes and second stages', () => {
    const table = choiceTable(one, reward)
    const bridges = one.choices.map(({ members }) =>
      members.some((member) => one.candidates[member]!.kind === 'bridge'),
    )
    expect(one.choices.map((_, choice) => table.hasSecondStage(choice))).toEqual(bridges)
    expect(table.size(0)).toBe(0)
  })
})

describe('problemOf', () => {
  const table = choiceTable(one, reward)

  it('has the price of each sub-query', () => {
    const problem = problemOf(table, { cost: 0.1 })
    const choice = one.choices.findIndex(({ members }) => members.length === 2)
    expect(problem.reward(choice, 2)).toBeCloseTo(table.reward(choice, 2) - 0.2, 12)
    expect(problem.features).toBe(one.features)
  })

  it('leaves out choices and inputs', () => {
    const kept = [0, 3, 5]
    const problem = problemOf(table, { kept, inputs: shapeInputs })
    expect(problem.actions).toBe(3)
    const width = shapeInputs.length
    for (const [row, choice] of kept.entries()) {
      expect(problem.reward(row, 2)).toBe(table.reward(choice, 2))
      expect([...problem.features.subarray(row * width, (row + 1) * width)]).toEqual([
        ...one.features.subarray(choice * actionInputs.length, choice * actionInputs.length + width),
      ])
    }
  })
})
