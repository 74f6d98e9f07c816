import { describe, expect, it } from 'vitest'
import { leftOutNames } from '../../../bench/experiments/left-out.ts'
import { systemNames } from '../../../bench/experiments/systems.ts'
import { generatedExperiments } from './generated.ts'

const found = generatedExperiments(0.2)
const names = (study: { groups: readonly { name: string }[] }): string[] =>
  study.groups.map(({ name }) => name)

describe('summarize', () => {
  it('groups by collection, type, number of relevant documents and difficulty', () => {
    expect(names(found.comparison)).toEqual(['all queries', 'towns', 'rivers'])
    expect(names(found.byType)).toEqual(['names', 'other'])
    expect(found.byGolds.groups.map(({ name, queries }) => [name, queries])).toEqual([
      ['1 relevant document', 8],
      ['2 relevant documents', 16],
    ])
    expect(found.byDifficulty.groups.map(({ name, queries }) => [name, queries])).toEqual([
      ['easy', 12],
      ['hard', 12],
    ])
  })

  it('counts the best fixed sets and what the filter kept', () => {
    expect(found.fixedSets).toEqual([
      { template: 'the query + names', parts: 4 },
      { template: 'the query', parts: 2 },
    ])
    expect(found.filtered).toEqual({ kept: 5, of: 16 })
  })

  it('averages the curves of all seeds and parts', () => {
    const last = found.curve.at(-1)!
    expect(last.stage).toBe(2)
    // Three parts with 0, 0.01 and 0.02 more, twice: the deviation of a sample is √(0.0004 / 5).
    expect(last.heldOut.taken.mean).toBeCloseTo(0.71, 12)
    expect(last.heldOut.taken.deviation).toBeCloseTo(Math.sqrt(0.0004 / 5), 12)
    expect(last.heldOut.subQueriesDrawn).toEqual({ mean: 1.5, deviation: 0 })
    expect(found.curve[0]).not.toHaveProperty('entropy')
  })

  it('tells what was decided', () => {
    const [all] = found.decisions.byCollection
    expect(all).toMatchObject({ queries: 24, leftAlone: 0.25, oneStage: 0.5, subQueries: 1.5 })
    // Template 9 is the query as it is with the third slot, the names.
    expect(all!.parts).toMatchObject({ 'the query': 1, names: 0.75, bridge: 0 })
  })

  it('holds a collection that was left out against having been trained on it', () => {
    const [group] = found.leftOut!.groups
    expect(found.leftOut!.reference).toBe(leftOutNames.transferred)
    const learned = group!.rows.find(({ name }) => name === systemNames.learned)!
    expect(learned.alone.reward.difference!.mean).toBeCloseTo(-0.2, 9)
  })

  it('crosses retrievers: on each one the policy of its own against that of the other', () => {
    expect(found.retrievers!.groups.map(({ name, rows }) => [name, rows.map((row) => row.name)])).toEqual(
      ['bm25', 'dense'].flatMap((used) =>
        ['all queries', 'towns', 'rivers'].map((group) => [
          `${used}, ${group}`,
          ['trained on this retriever', `trained on ${used === 'bm25' ? 'dense' : 'bm25'}`, systemNames.asIs],
        ]),
      ),
    )
    for (const { rows } of found.retrievers!.groups)
      expect(rows[1]!.alone.reward.difference).toMatchObject({ verdict: 'better' })
  })
})
