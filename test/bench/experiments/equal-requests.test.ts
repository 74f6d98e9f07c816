import { describe, expect, it } from 'vitest'
import { atEqual, requestCurve, withEqualRequests } from '../../../bench/experiments/equal-requests.ts'
import { measureNames } from '../../../bench/experiments/measures.ts'
import type { Column, SystemRecord } from '../../../bench/experiments/record.ts'
import { recordsOf } from '../../../bench/experiments/records.ts'
import { dialNames, searchingSet, systemNames } from '../../../bench/experiments/systems.ts'

/** Four queries, of which the last is not re-ranked. */
function record(values: readonly number[], subQueries: Column, requestTwo = subQueries): SystemRecord {
  const all = (of: Column): SystemRecord['alone'] =>
    Object.fromEntries(measureNames.map((name) => [name, of]))
  return {
    alone: all(values),
    reranked: all(values.map((value, index) => (index === 3 ? null : value + 0.1))),
    subQueries,
    secondStage: subQueries.map(() => 0),
    requestTwo,
  }
}

const records = recordsOf([
  {
    [systemNames.asIs]: record([0, 0.2, 0.4, 0.6], [0, 0, 0, 0]),
    [systemNames.learned]: record([0.5, 0.5, 0.4, 0.6], [2, 3, 0, 0], [1, 1, 1, 0]),
    [searchingSet]: record([0.4, 0.4, 0.4, 0.4], [3, 3, 3, 3], [1, 1, 1, 1]),
    [systemNames.uniform]: record([1, 0.2, 0.4, 0.6], [1, 0, 0, 0], [1, 0, 0, 0]),
    [dialNames.low]: record([0.5, 0.2, 0.4, 0.6], [2, 0, 0, 0]),
  },
])

describe('rivals with as many requests', () => {
  const equal = withEqualRequests(records)
  const of = (rival: string): SystemRecord => equal.get(atEqual(rival))![0]!

  it('search for the share of the queries that the learned policy searches for', () => {
    // Two of four queries against all four: half of what the fixed set changes.
    const fixed = of(searchingSet)
    expect(fixed.alone.reward).toEqual([0.2, 0.30000000000000004, 0.4, 0.5])
    expect(fixed.subQueries).toEqual([1.5, 1.5, 1.5, 1.5])
    // With re-ranking all three queries that were measured have a second request.
    expect(fixed.reranked.reward).toEqual([0.5, 0.5, 0.5, null])
  })

  it('send no more than they would', () => {
    expect(of(systemNames.uniform).alone.reward).toEqual([1, 0.2, 0.4, 0.6])
  })

  it('are not made of systems that were not measured', () => {
    expect(equal.get(atEqual(systemNames.contextFree))).toEqual([])
  })
})

describe('requestCurve', () => {
  const curve = requestCurve(records)

  it('has a point for each setting that was measured, with its requests and what it finds', () => {
    expect(curve.map(({ name, alone }) => [name, alone.requests])).toEqual([
      [systemNames.asIs, 0],
      [dialNames.low, 0.25],
      [systemNames.learned, 0.5],
    ])
    expect(curve[1]!.alone.found.reward).toBeCloseTo((0.5 + 0.2 + 0.4 + 0.6) / 4, 12)
    expect(curve[2]!.reranked).toMatchObject({ requests: 1 })
  })

  it('has rivals on the line between the query as it is and all that they search', () => {
    const [none, low, learned] = curve.map(({ alone }) => alone.rivals[searchingSet]!.reward)
    expect(none).toBeCloseTo(0.3, 12)
    expect(low).toBeCloseTo(0.3 + 0.25 * 0.1, 12)
    expect(learned).toBeCloseTo(0.3 + 0.5 * 0.1, 12)
  })
})
