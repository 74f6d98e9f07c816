/** New documents first, where they are asked for. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rankScore } from '../fusion/rank-score.ts'
import { none } from '../policies/none.ts'
import { explain } from '../src/explain.ts'
import type { RecencyOptions } from '../src/last-steps.ts'
import { createOptimizer } from '../src/optimizer.ts'
import type { Reranker } from '../src/reranker.ts'
import type { Document, SearchResult } from '../src/types.ts'
import { withRecency } from '../src/with-recency.ts'
import { expectError } from './support/expect-error.ts'
import { manualClock } from './support/manual-clock.ts'
import { scriptedRetriever } from './support/scripted.ts'

const now = () => Date.UTC(2026, 0, 31)
const day = 24 * 60 * 60 * 1000
/** By docid; the list has them in this order. */
type Dates = Readonly<Record<string, unknown>>

function searching(dates: Dates, text: string, recency?: Partial<RecencyOptions>, rerank?: Reranker) {
  const documents = Object.entries(dates).map(
    ([docid, made]): Document => ({ docid, text: docid, metadata: { made } }),
  )
  const optimizer = createOptimizer({
    retrievers: [scriptedRetriever({ found: { [text]: Object.keys(dates) } })],
    documents: async (docids) => docids.map((docid) => documents.find((one) => one.docid === docid)),
    ...{ rerank, clock: manualClock(), recency: recency && { field: 'made', halfLife: 10, now, ...recency } },
  })
  return optimizer.search(text, { documents: true })
}
const ordered = ({ hits }: SearchResult) => hits.map(({ docid, score }) => [docid, score])

describe('recency', () => {
  it('multiplies one over the rank by a half for each half-life', async () => {
    const dates = { old: '2026-01-01', middle: '2026-01-21', fresh: '2026-01-31', undated: undefined }
    // 30, 10 and 0 days: 1/8 of 1, 1/2 of 1/2, all of 1/3; without a date all of 1/4.
    const found = await searching(dates, 'latest news', {})
    expect(ordered(found)).toEqual([
      ...[
        ['fresh', 1 / 3],
        ['middle', 1 / 4],
        ['undated', 1 / 4],
      ],
      ['old', 1 / 8],
    ])
    expect(found.hits.map(({ recency }) => recency)).toEqual([1, 1 / 2, 1, 1 / 8])
    expect(explain(found.trace, rankScore())[3]).toMatchObject({
      recency: 1 / 8,
      fused: { rank: 1 },
      recomputed: 1,
    })
  })

  it.each([
    ['an ISO date', '2026-01-21'],
    ['milliseconds', now() - 10 * day],
    ['seconds', (now() - 10 * day) / 1000],
    ['milliseconds as an engine writes them', String(now() - 10 * day)],
    ['the latest of several', ['2020-01-01', '2026-01-21']],
  ])('reads %s', async (_, made) =>
    expect((await searching({ made }, 'news', { when: 'always' })).hits[0]?.recency).toBeCloseTo(1 / 2),
  )

  it('counts a date in the future as new, and no other value as a date', async () => {
    const found = await searching({ a: '2027-01-01', b: 'soon', c: true }, 'latest', {})
    expect(found.hits).toEqual((await searching({ a: '2027-01-01', b: 'soon', c: true }, 'latest')).hits)
  })

  it('comes after re-ranking, and looks at more hits than are shown', async () => {
    const backwards: Reranker = {
      rerank: (_query, _lists, fused) =>
        fused.toReversed().map((hit, at) => ({ ...hit, score: -at, rank: at + 1 })),
    }
    const many = Array.from({ length: 30 }, (_, at) => [`d${at}`, at === 15 ? '2026-01-31' : '2024-01-01'])
    const { hits } = await searching(Object.fromEntries(many), 'latest', {}, backwards)
    expect(hits).toHaveLength(10)
    expect(hits.slice(0, 2).map(({ docid }) => docid)).toEqual(['d15', 'd29'])
  })

  it('moves nothing where no date is asked for', async () => {
    const dated = fc.record({
      text: fc.stringMatching(/^[bdfghj ]{1,12}$/),
      dates: fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), fc.date({ noInvalidDate: true }).map(String)),
    })
    const without = ({ text, dates }: { text: string; dates: Dates }) => searching(dates, `x${text}`)
    await fc.assert(
      fc.asyncProperty(dated, async (one) => {
        const found = await searching(one.dates, `x${one.text}`, {})
        expect(JSON.stringify(found)).toBe(JSON.stringify(await without(one)))
      }),
      { numRuns: 50 },
    )
  })

  it('names what is wrong with it', () =>
    expectError(() => withRecency(none(), { field: 'made', halfLife: 0 }), 'bad-config', 'halfLife'))
})
