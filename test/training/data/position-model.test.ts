/** What the position-based model learns of users whose habits are known. */
import { describe, expect, it } from 'vitest'
import { judgmentsOfClicks } from '../../../src/training/data/clicks.ts'
import { positionModel } from '../../../src/training/data/position-model.ts'
import { simulatedClicks } from '../../support/simulated-clicks.ts'

/** Each query has ten documents, of which one is relevant: mostly the first, otherwise one of the others. */
const relevantAt = (query: number): number => (query % 3 === 0 ? 1 + (query % 9) : 0)
const lists = new Map(
  Array.from({ length: 120 }, (_, query) => [`q${query}`, Array.from({ length: 10 }, (_, at) => `${at}`)]),
)
const attracts = (qid: string, docid: string): number =>
  docid === `${relevantAt(Number(qid.slice(1)))}` ? 0.5 : 0.04
const curves = { '1/rank': (rank: number) => 1 / rank, '0.92 ^ rank': (rank: number) => 0.92 ** (rank - 1) }

describe.each(Object.entries(curves))('users who look at a rank by %s', (_, looks) => {
  it('are known by documents that changed places', () => {
    const log = simulatedClicks(lists, { seed: 1, searches: 30, looks, attracts, swaps: 0.4 })
    const { examination = [] } = judgmentsOfClicks(log)
    expect(examination).toHaveLength(10)
    for (const [at, one] of examination.entries())
      expect(Math.abs(one - looks(at + 1)), `rank ${at + 1}`).toBeLessThan(0.15)
  })

  it('find the relevant documents, whichever rank they have', () => {
    const log = simulatedClicks(lists, { seed: 2, searches: 30, looks, attracts })
    const { qrels } = judgmentsOfClicks(log)
    const places = [...lists.keys()].map((qid, query) => ({ qid, docid: `${relevantAt(query)}` }))
    const found = places.filter(({ qid, docid }) => qrels.get(qid)?.get(docid) === 1)
    const judged = [...qrels.values()].flatMap((grades) => [...grades.values()])
    expect(found.length).toBeGreaterThan(0.8 * places.length)
    expect(judged.reduce((sum, grade) => sum + grade, 0)).toBeLessThan(1.3 * found.length)
  })
})

describe('positionModel', () => {
  it('says nothing of nothing', () => {
    expect(positionModel([])).toEqual({ relevance: [], examination: [] })
  })
})

describe('judgmentsOfClicks', () => {
  it('takes a log of few searches, or of clicked ones alone, by the lowest click', () => {
    const log = simulatedClicks(lists, { seed: 4, searches: 30, looks: curves['1/rank'], attracts })
    expect(judgmentsOfClicks(log).examination).toBeDefined()
    expect(judgmentsOfClicks(log.slice(0, 60)).examination).toBeUndefined()
    expect(judgmentsOfClicks(log.filter(({ clicks }) => clicks.length > 0)).examination).toBeUndefined()
  })
})
