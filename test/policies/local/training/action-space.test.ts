import { describe, expect, it } from 'vitest'
import { buildWinkBm25 } from '../../../../adapters/search/wink-bm25.ts'
import { rrf } from '../../../../fusion/rrf.ts'
import { baseReward } from '../../../../policies/acqo/rewards.ts'
import {
  choiceProblem,
  fusedHits,
  type PreparedExample,
  prepareAll,
  votingLists,
} from '../../../../policies/local/training/action-space.ts'
import { collectExamples } from '../../../../policies/local/training/example.ts'
import { createReader } from '../../../../src/text/reader.ts'
import type { Document, Query } from '../../../../src/types.ts'
import { expectError } from '../../../support/expect-error.ts'
import { finderOf } from '../../../support/finder.ts'
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
const bm25 = await buildWinkBm25(documents)
const queries: readonly Query[] = [
  { qid: 'older', text: 'Which is older, the Forth Bridge or the Tower Bridge?' },
  { qid: 'painter', text: 'Where was the painter of the Forth Bridge born?' },
]
const qrels = new Map([
  [
    'older',
    new Map([
      ['forth', 1],
      ['tower', 1],
    ]),
  ],
  [
    'painter',
    new Map([
      ['frost', 1],
      ['forth', 1],
    ]),
  ],
])

async function prepare(signal?: AbortSignal): Promise<PreparedExample[]> {
  const examples = await collectExamples([
    {
      name: 'bridges',
      queries,
      qrels,
      retrievers: [bm25],
      documents: finderOf(documents),
    },
  ])
  return prepareAll(examples, () => decisionBy({}), createReader({ documents: 16, stems: {} }), { signal })
}

const placeOf = (
  { choices, candidates }: PreparedExample,
  texts: readonly string[],
  withOriginal: boolean,
): number =>
  choices.findIndex(
    (choice) =>
      choice.withOriginal === withOriginal &&
      JSON.stringify(choice.members.map((member) => candidates[member]!.text)) === JSON.stringify(texts),
  )

describe('prepareAll', () => {
  it('searches all candidates, so that every choice has its lists', async () => {
    const [older, painter] = await prepare()
    expect(older!.candidates.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['Forth Bridge', 'Tower Bridge', 'Forth Bridge older']),
    )
    expect(painter!.candidates.map(({ text }) => text)).toContain('Ada Frost')
    for (const prepared of [older!, painter!]) {
      expect(prepared.searched).toHaveLength(prepared.candidates.length)
      prepared.searched.forEach(([list], index) => {
        expect(list?.subQuery.text).toBe(prepared.candidates[index]!.text)
      })
    }
    const names = ['Forth Bridge', 'Tower Bridge']
    const texts = (choice: number): string[] =>
      votingLists(older!, choice).map(({ subQuery }) => subQuery.text)
    expect(texts(0)).toEqual([queries[0]!.text])
    expect(texts(placeOf(older!, names, true))).toEqual([queries[0]!.text, ...names])
    expect(texts(placeOf(older!, names, false))).toEqual(names)
  })

  it('can be aborted', async () => {
    await expectError(prepare(AbortSignal.abort()), 'aborted')
  })
})

describe('the rewards of choices', () => {
  it('are those of the ranks in what is fused, less the price of each sub-query', async () => {
    const [older] = await prepare()
    const both = placeOf(older!, ['Forth Bridge', 'Tower Bridge'], false)
    // Each name finds its own document first: Σ 1/rank is 1 + 1/2 for both, and there is none before them.
    expect(
      fusedHits(older!, both)
        .slice(0, 2)
        .map(({ docid }) => docid)
        .sort(),
    ).toEqual(['forth', 'tower'])
    const problem = choiceProblem(older!, { eta: 0.6, cost: 0.005 })
    // 0.6 Φ(1) + 0.36 Φ(2) = 0.6 · 2 + 0.36 · 17/9 = 1.88, and 2 · 0.005 for two sub-queries.
    expect(problem.reward(both, 2)).toBeCloseTo(1.88 - 0.01, 12)
    // Stage I: no subset is better than both, since one name alone finds the other second, too.
    expect(problem.reward(both, 1)).toBeCloseTo(1.88 - 0.01, 12)
    expect([problem.size?.(0), problem.size?.(both)]).toEqual([0, 2])
    expect(problem).toMatchObject({ qid: 'bridges older', actions: older!.choices.length })
  })

  it('of the query as it is are the ranks that it has', async () => {
    for (const prepared of await prepare()) {
      const hits = prepared.example.lists[0]!.hits
      const ranks = [...prepared.example.golds.keys()].map(
        (docid) => hits.findIndex((hit) => hit.docid === docid) + 1,
      )
      const [best, second] = ranks.map((rank) => baseReward(rank || undefined)).sort((a, b) => b - a)
      const problem = choiceProblem(prepared, { eta: 0.5, cost: 1 })
      for (const stage of [1, 2] as const)
        expect(problem.reward(0, stage)).toBeCloseTo(0.5 * best! + 0.25 * second!, 12)
    }
  })

  it('of stage I are at least those of stage II, for every choice', async () => {
    for (const prepared of await prepare()) {
      const problem = choiceProblem(prepared, { eta: 0.6 })
      for (let choice = 0; choice < problem.actions; choice++)
        expect(problem.reward(choice, 1)).toBeGreaterThanOrEqual(problem.reward(choice, 2) - 1e-12)
    }
  })

  it('follow the fusion, and the bonus for the first ranks in stage II alone', async () => {
    const [older] = await prepare()
    const both = placeOf(older!, ['Forth Bridge', 'Tower Bridge'], true)
    const ids = (hits: ReturnType<typeof fusedHits>): string[] => hits.map(({ docid }) => docid)
    expect(ids(fusedHits(older!, both, rrf()))).toEqual(
      ids(rrf().fuse(votingLists(older!, both), { k: 100, depth: 100 })),
    )
    const plain = choiceProblem(older!, { eta: 1 })
    const bonus = choiceProblem(older!, { eta: 1, kStar: 2, lambda: 1 })
    expect(bonus.reward(both, 1)).toBe(plain.reward(both, 1))
    // Ranks 1 and 2 of two documents: λ/log2(2) + λ/log2(3) more.
    const names = placeOf(older!, ['Forth Bridge', 'Tower Bridge'], false)
    expect(bonus.reward(names, 2) - plain.reward(names, 2)).toBeCloseTo(1 + 1 / Math.log2(3), 12)
  })
})
