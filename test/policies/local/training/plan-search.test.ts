import { describe, expect, it } from 'vitest'
import { buildWinkBm25 } from '../../../../adapters/search/wink-bm25.ts'
import { searchesOf } from '../../../../policies/local/decision/wider-pool.ts'
import { collectExamples } from '../../../../policies/local/training/example.ts'
import {
  broughtLists,
  fusedHits,
  gainOf,
  type SearchedPlans,
  searchPlans,
} from '../../../../policies/local/training/plan-search.ts'
import { createReader } from '../../../../src/text/reader.ts'
import type { Document, Query, RankedList } from '../../../../src/types.ts'
import { expectError } from '../../../support/expect-error.ts'
import { finderOf } from '../../../support/finder.ts'
import { prepared } from '../../../support/prepared.ts'
import { decisionBy } from '../../../support/small-scorers.ts'

const documents: readonly Document[] = [
  {
    docid: 'forth',
    title: 'Forth Bridge',
    text: 'The bridge over the firth that Ada Frost painted in Queensferry.',
  },
  { docid: 'tower', title: 'Tower Bridge', text: 'The bridge that opens, and who was older.' },
  { docid: 'frost', title: 'Ada Frost', text: 'She was born in Eskby.' },
  { docid: 'eskby', title: 'Eskby', text: 'A town.' },
  ...Array.from({ length: 12 }, (_, place) => ({
    docid: `x${place}`,
    text: `Which bridge is older, number ${place}?`,
  })),
]
const queries: readonly Query[] = [
  { qid: 'older', text: 'Which is older, the Forth Bridge or the Tower Bridge?' },
  { qid: 'painter', text: 'Where was the painter of the Forth Bridge born?' },
]
const qrels = new Map(
  Object.entries({ older: ['forth', 'tower'], painter: ['frost', 'forth'] }).map(([qid, docids]) => [
    qid,
    new Map(docids.map((docid) => [docid, 1])),
  ]),
)

async function search(signal?: AbortSignal): Promise<readonly [SearchedPlans, SearchedPlans]> {
  const retrievers = [await buildWinkBm25(documents)]
  const examples = await collectExamples([
    { name: 'bridges', queries, qrels, retrievers, documents: finderOf(documents) },
  ])
  const reader = createReader({ documents: 16, stems: {} })
  return (await searchPlans(examples, () => decisionBy(), reader, { signal })) as [
    SearchedPlans,
    SearchedPlans,
  ]
}

const textsOf = (lists: readonly RankedList[]): string[] => lists.map(({ subQuery }) => subQuery.text)
const docidsOf = (hits: readonly { readonly docid: string }[]): string[] => hits.map(({ docid }) => docid)

describe('searchPlans', () => {
  it('has the list of each text of each plan once, though plans share texts', async () => {
    const [older, painter] = await search()
    expect(older.plans.map(({ name }) => name)).toEqual(['parts', 'names and bridges'])
    const [parts, names] = older.plans.map(searchesOf)
    expect(parts!.filter(({ text }) => names!.some((one) => one.text === text))).not.toEqual([])
    for (const { plans, searched } of [older, painter])
      for (const plan of plans) {
        const lists = searched.get(plan)!
        expect(lists.map(({ subQuery: { text, from } }) => ({ text, from }))).toEqual(
          plan.texts.map(({ text, from }) => ({ text, from })),
        )
      }
  })

  it('can be aborted', async () => {
    await expectError(search(AbortSignal.abort()), 'aborted')
  })
})

describe('gainOf', () => {
  it('is what a plan adds to the mean of nDCG@10 and recall@5', () => {
    const one = prepared({
      qid: 'q',
      golds: ['gold', 'other'],
      asIs: ['x', 'gold'],
      found: { parts: ['other', 'gold'], conversation: ['u', 'v'] },
    })
    const [parts, conversation] = one.plans
    const log = Math.log2
    const ideal = 1 / log(2) + 1 / log(3)
    // As it is: x, gold. One of two is found, at rank 2.
    const before = (1 / log(3) / ideal + 0.5) / 2
    // Sums of 1/rank: gold 1/2 + 1/2, x 1, other 1: of equal ones, the first list counts.
    expect(docidsOf(fusedHits(one))).toEqual(['x', 'gold'])
    const hits = docidsOf(fusedHits(one, parts))
    expect(new Set(hits)).toEqual(new Set(['gold', 'x', 'other']))
    const ranks = ['gold', 'other'].map((docid) => 1 + hits.indexOf(docid))
    const after = (ranks.reduce((sum, rank) => sum + 1 / log(1 + rank), 0) / ideal + 1) / 2
    expect(gainOf(one, parts!)).toBeCloseTo(after - before, 12)
    // In place of the query: neither is found.
    expect(docidsOf(fusedHits(one, conversation))).toEqual(['u', 'v'])
    expect(gainOf(one, conversation!)).toBeCloseTo(-before, 12)
  })

  it('is 0 where a plan finds what the query finds', () => {
    const one = prepared({ qid: 'q', golds: ['gold'], asIs: ['x', 'gold'], found: { parts: ['x', 'gold'] } })
    expect(gainOf(one, one.plans[0]!)).toBe(0)
  })
})

describe('broughtLists', () => {
  it('are those of the query alone, if that is sure', async () => {
    const [older] = await search()
    expect(await broughtLists(older, { isSure: true, gains: [] })).toEqual(older.example.lists)
  })

  it('are those of the query, of the plan, and of what widens the pool', async () => {
    const [older] = await search()
    const [parts] = older.plans
    const brought = textsOf(await broughtLists(older, { plan: parts!, isSure: true, gains: [] }))
    const own = [older.example.query.text, ...parts!.texts.map(({ text }) => text)]
    expect(brought.slice(0, own.length)).toEqual(own)
    expect(brought.slice(own.length)).toContain('Forth Bridge')
    expect(new Set(brought).size).toBe(brought.length)
    const unsure = textsOf(await broughtLists(older, { isSure: false, gains: [] }))
    expect(unsure[0]).toBe(own[0])
    expect(unsure).toEqual(expect.arrayContaining(['Forth Bridge', 'Tower Bridge']))
  })
})
