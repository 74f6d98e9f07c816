import { expect, it } from 'vitest'
import type { Decision } from '../../../../policies/local/decision/decision.ts'
import { reasonOf } from '../../../../policies/local/decision/reason.ts'
import { emptyStage, planOf } from '../../../support/prepared.ts'

const parts = planOf('parts', [{ text: 'one' }])

function decision(gain: number | undefined, isTaken = false): Decision {
  const plans = gain === undefined ? [] : [parts]
  const told = plans.map(({ name }) => ({ plan: name, subQueries: ['one'], withOriginal: true, gain: gain! }))
  return {
    stage: emptyStage(),
    plans,
    gains: plans.map(() => gain!),
    isSure: true,
    ...(isTaken && { plan: parts }),
    considered: { plans: told, cost: 0.02, inputs: [] },
  }
}

it('names the plan, what it should bring, and what a request costs', () => {
  expect(reasonOf(decision(0.042, true), 0)).toBe('parts: +4.2 points expected, a request costs 2.0')
  expect(reasonOf(decision(-0.003), 0)).toBe('unchanged: parts: −0.3 points expected, a request costs 2.0')
})

it('counts what is searched for re-ranking alone', () => {
  expect(reasonOf(decision(0.042, true), 7)).toMatch(/; 7 more only for re-ranking$/)
  expect(reasonOf(decision(0.01), 7)).toMatch(/^unchanged.*; 7 more/)
})

it('says where no plan fits', () =>
  expect(reasonOf(decision(undefined), 0)).toBe('unchanged: no plan fits the query'))
