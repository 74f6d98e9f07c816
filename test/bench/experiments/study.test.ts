import { describe, expect, it } from 'vitest'
import { measureNames } from '../../../bench/experiments/measures.ts'
import type { Column, SystemRecord } from '../../../bench/experiments/record.ts'
import type { Records } from '../../../bench/experiments/records.ts'
import { deviationOf, study } from '../../../bench/experiments/study.ts'
import { bootstrapMean, holm, randomizationTest } from '../../../src/evaluation/significance.ts'

const columns = (values: Column): SystemRecord['alone'] =>
  Object.fromEntries(measureNames.map((name) => [name, values]))

const record = (alone: Column, reranked: Column = alone.map(() => null)): SystemRecord => ({
  alone: columns(alone),
  reranked: columns(reranked),
  subQueries: alone.map((value) => (value === null ? null : Math.round(value))),
  secondStage: alone.map((value) => (value === null ? null : value > 1 ? 1 : 0)),
  requestTwo: alone.map((value) => (value === null ? null : value > 0 ? 1 : 0)),
})

const statistics = { rounds: 200, samples: 200, alpha: 0.05 }
const everything = [{ name: 'all', examples: [0, 1, 2, 3] }]

const of = (
  records: Records,
  options: { groups?: typeof everything; where?: string } = {},
): ReturnType<typeof study> =>
  study(
    {
      records,
      groups: options.groups ?? everything,
      systems: ['ours', 'theirs'],
      reference: 'ours',
      ...(options.where && { where: options.where }),
    },
    statistics,
  )

describe('study', () => {
  it('takes the mean over seeds for each query, then over queries', () => {
    const records: Records = new Map([
      ['ours', [record([1, 2, 3, 4]), record([3, 2, 1, null])]],
      ['theirs', [record([0, 0, 0, 0]), record([0, 0, 0, 0])]],
    ])
    const [group] = of(records).groups
    const [ours, theirs] = group!.rows
    // By query 2, 2, 2, 4; the seeds' means are 2.5 and 2.
    expect(ours!.alone.reward).toEqual({ mean: 2.5, deviation: Math.sqrt(0.125) })
    // By query 2, 2, 2 and, of the first seed alone, 4.
    const differences = [2, 2, 2, 4]
    const { p } = randomizationTest(differences, [0, 0, 0, 0], { rounds: 200 })
    const { mean, low, high } = bootstrapMean(differences, { rounds: 200 })
    expect(theirs!.alone.reward.difference).toEqual({ mean, low, high, p, pHolm: p, verdict: 'unclear' })
    expect(p).toBe(2 / 2 ** 4)
  })

  it('leaves re-ranking out where it was not measured, and pairs where it was', () => {
    const records: Records = new Map([
      ['ours', [record([1, 1, 1, 1], [2, 3, null, null])]],
      ['theirs', [record([1, 1, 1, 1], [1, null, 1, null])]],
    ])
    const [{ rows, queries, reranked }] = of(records).groups as [ReturnType<typeof study>['groups'][number]]
    expect([queries, reranked]).toEqual([4, 2])
    expect(rows[1]!.reranked!.reward.difference!.mean).toBe(1)
    const bare: Records = new Map([['ours', [record([1, 1, 1, 1])]]])
    expect(of(bare).groups[0]!.rows[0]!.reranked).toBeUndefined()
  })

  it('counts queries only where another system was measured, when told so', () => {
    const records: Records = new Map([
      ['ours', [record([1, 2, 3, 4]), record([10, 20, 30, 40])]],
      ['theirs', [record([0, 0, null, null]), record([null, null, 0, null])]],
    ])
    const [{ rows, queries }] = of(records, { where: 'theirs' }).groups as [
      ReturnType<typeof study>['groups'][number],
    ]
    expect(queries).toBe(3)
    expect(rows[0]!.alone.reward.mean).toBe((1 + 2 + 30) / 3)
  })

  it('corrects all rows and groups of a measure and column together', () => {
    const many = Array.from({ length: 12 }, (_, index) => index)
    const records: Records = new Map([
      ['ours', [record(many.map(() => 1))]],
      ['theirs', [record(many.map((index) => (index < 6 ? 0 : 0.9)))]],
    ])
    const groups = [
      { name: 'first', examples: many.slice(0, 6) },
      { name: 'all', examples: many },
    ]
    const differences = of(records, { groups }).groups.map(({ rows }) => rows[1]!.alone.reward.difference!)
    expect(differences.map(({ pHolm }) => pHolm)).toEqual(holm(differences.map(({ p }) => p)))
    expect(differences.map(({ p }) => p)).toEqual([2 / 2 ** 6, 2 / 2 ** 12])
    expect(differences.map(({ verdict }) => verdict)).toEqual(['better', 'better'])
  })

  it('calls a loss a loss', () => {
    const many = Array.from({ length: 12 }, (_, index) => index)
    const records: Records = new Map([
      ['ours', [record(many.map(() => 0))]],
      ['theirs', [record(many.map(() => 1))]],
    ])
    const [{ rows }] = of(records, { groups: [{ name: 'all', examples: many }] }).groups as [
      ReturnType<typeof study>['groups'][number],
    ]
    expect(rows[1]!.alone.reward.difference).toMatchObject({ mean: -1, verdict: 'worse' })
  })

  it('tells shares of queries left alone and of one stage', () => {
    const records: Records = new Map([['ours', [record([0, 1, 2, 3]), record([0, 0, 0, 4])]]])
    const [row] = of(records).groups[0]!.rows
    expect(row).toMatchObject({ subQueries: 10 / 8, leftAlone: 4 / 8, oneStage: 5 / 8, oneRequest: 4 / 8 })
  })
})

describe('deviationOf', () => {
  it('is that of a sample', () => expect(deviationOf([1, 2, 3, 4])).toBeCloseTo(Math.sqrt(5 / 3), 12))
  it('is 0 for less than two', () => expect([deviationOf([]), deviationOf([3])]).toEqual([0, 0]))
})
