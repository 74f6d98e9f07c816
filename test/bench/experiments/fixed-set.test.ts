import { describe, expect, it } from 'vitest'
import { type ChoiceTable, choiceTable } from '../../../bench/experiments/choice-table.ts'
import { bestChoice, bestFixedSet, shuffledRewards } from '../../../bench/experiments/fixed-set.ts'
import { describeTemplate, madeOf } from '../../../bench/experiments/template.ts'
import { createRandom, permutation } from '../../../src/learn/random.ts'
import { type Described, prepared } from '../../support/prepared.ts'

const table = (described: Described): ChoiceTable => choiceTable(prepared(described), { eta: 1 })

/** A relevant document at this rank, among others. */
const at = (rank: number, docid: string): string[] =>
  Array.from({ length: 20 }, (_, place) => (place + 1 === rank ? docid : `${docid} other ${place}`))

describe('bestFixedSet', () => {
  it('has the highest mean reward, not the most queries', () => {
    // Φ(1) = 2, Φ(2) = 17/9, Φ(20) = 8/9. Names are best for two of three queries, with a mean of (2 + 2 + 8/9) / 3 = 1.63;
    // the query alone has 17/9. Fused, the lists share the gold alone: 1 / (1/2 + 1/1) = 2/3 puts it before the 1s of the
    // first documents, and 1 / (1/2 + 1/20) = 1.82 behind two of them: (2 + 2 + Φ(3) = 16/9) / 3 = 1.93.
    const tables = [1, 1, 20].map((rank, index) =>
      table({
        qid: `q${index}`,
        golds: ['gold'],
        asIs: at(2, 'gold'),
        found: { name: at(rank, 'gold').map((docid) => (docid === 'gold' ? docid : `name ${docid}`)) },
      }),
    )
    const best = bestFixedSet(tables)
    expect(describeTemplate(best)).toBe('the query + names')
    const mean = (template: number): number =>
      tables.reduce((sum, { templates, reward }) => sum + reward(madeOf(template, templates), 2), 0) / 3
    expect(mean(1)).toBeCloseTo(17 / 9, 12)
    expect(mean(best)).toBeCloseTo((2 + 2 + 16 / 9) / 3, 12)
    expect(mean(best ^ 1)).toBeCloseTo((2 + 2 + 8 / 9) / 3, 12)
  })

  it('counts the largest part of a template for queries that cannot make it', () => {
    // The look-ups of two queries find what they alone find; the third has no names, and stays as it is with 2.
    const tables = [
      table({ qid: 'a', golds: ['gold'], asIs: at(20, 'none'), found: { name: at(1, 'gold') } }),
      table({ qid: 'b', golds: ['gold'], asIs: at(20, 'none'), found: { name: at(1, 'gold') } }),
      table({ qid: 'c', golds: ['gold'], asIs: at(1, 'gold') }),
    ]
    const best = bestFixedSet(tables)
    expect(describeTemplate(best)).toBe('names')
    expect(tables.map(({ templates, reward }) => reward(madeOf(best, templates), 2))).toEqual([2, 2, 2])
  })

  it('of equal ones takes the smallest: the query as it is', () => {
    const list = at(1, 'gold')
    const tables = [table({ qid: 'a', golds: ['gold'], asIs: list, found: { name: list, keywords: list } })]
    expect(describeTemplate(bestFixedSet(tables))).toBe('the query')
    expect(describeTemplate(bestFixedSet(tables, { searches: true }))).not.toBe('the query')
  })
})

describe('shuffledRewards', () => {
  const tables = [1, 3, 5, 7, 9, 11].map((rank) =>
    table({ qid: `q${rank}`, golds: ['gold'], asIs: at(rank, 'gold'), found: { name: at(1, 'gold') } }),
  )

  it("gives the query the rewards of another one, each query's to one", () => {
    const shuffled = shuffledRewards(tables, 7)
    const own = tables.map(({ reward }) => reward(0, 2))
    const given = shuffled.map((reward) => reward(0, 2))
    expect([...given].sort()).toEqual([...own].sort())
    const order = [...permutation(tables.length, createRandom(7))]
    expect(given).toEqual(order.map((other) => own[other]))
    expect(given).not.toEqual(own)
  })

  it('keeps what a set is worth on the whole: same template, same stage', () => {
    const shuffled = shuffledRewards(tables, 7)
    for (const stage of [1, 2] as const)
      for (let choice = 0; choice < 3; choice++) {
        const own = tables.map(({ reward }) => reward(choice, stage))
        const given = shuffled.map((reward) => reward(choice, stage))
        expect([...given].sort()).toEqual([...own].sort())
      }
  })

  it('takes the largest part where the other query cannot make the template', () => {
    const poor = [
      table({ qid: 'a', golds: ['gold'], asIs: at(2, 'gold'), found: { name: at(1, 'gold') } }),
      table({ qid: 'b', golds: ['gold'], asIs: at(10, 'gold') }),
    ]
    const seed = [1, 2, 3, 4, 5].find((one) => permutation(2, createRandom(one))[0] === 1)!
    const [first] = shuffledRewards(poor, seed)
    // Whatever the first query does, it earns what the other one has as it is: Φ(10) = 1.
    for (let choice = 0; choice < poor[0]!.prepared.choices.length; choice++)
      expect(first!(choice, 2)).toBe(1)
  })
})

describe('bestChoice', () => {
  it('is the choice with the highest reward', () => {
    const one = table({
      qid: 'a',
      golds: ['gold'],
      asIs: at(9, 'gold'),
      found: { name: at(1, 'gold'), keywords: at(5, 'gold') },
    })
    const rewards = [...one.prepared.choices.keys()].map((choice) => one.reward(choice, 2))
    expect(one.reward(bestChoice(one), 2)).toBe(Math.max(...rewards))
  })

  it('of equal ones has the fewest sub-queries', () => {
    const list = at(1, 'gold')
    const one = table({ qid: 'a', golds: ['gold'], asIs: list, found: { name: list } })
    expect(bestChoice(one)).toBe(0)
  })
})
