import { AssertionError } from 'node:assert'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertHolds, toHold } from '../../src/evaluation/assert-holds.ts'
import { type Baseline, baselineOf, readBaseline, writeBaseline } from '../../src/evaluation/baseline.ts'
import { checkRows, checksOf } from '../../src/evaluation/gate.ts'
import { evaluated } from '../support/evaluated.ts'
import { expectError } from '../support/expect-error.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Reciprocal ranks 1, 1/2, 1, 0: 0.625 in the mean. */
const before = await evaluated([1, 2, 1, 0])
const baseline = baselineOf(before)

describe('a baseline', () => {
  it('holds the same evaluation, without a tolerance', () => {
    const [check] = checksOf(before, { baseline, tolerance: 0 })
    expect(check).toEqual({
      metric: 'mrr',
      now: 0.625,
      before: 0.625,
      least: 0.625,
      holds: true,
      queries: [],
    })
  })

  it('names the queries that lost, the largest loss first', async () => {
    // 1/4, 1/2, 1/2, 1: q4 gained, and the mean is 0.5625.
    const [check] = checksOf(await evaluated([4, 2, 2, 1]), { baseline })
    expect(check).toMatchObject({ now: 0.5625, before: 0.625, least: 0.625 - 0.02, holds: false })
    expect(check!.queries).toEqual([
      { qid: 'q1', text: 'text of q1', before: 1, now: 1 / 4 },
      { qid: 'q3', text: 'text of q3', before: 1, now: 1 / 2 },
    ])
    expect(checksOf(await evaluated([4, 2, 2, 1]), { baseline, tolerance: 0.0625 })[0]!.holds).toBe(true)
  })

  it('is the same after it was written and read, and tells what is none', async () => {
    const path = join(await temporaryFolder(), 'baseline.json')
    await writeBaseline(path, baselineOf(before, 'abc'))
    const read = await readBaseline(path)
    expect(read).toEqual({ ...baseline, corpus: 'abc' })
    await writeFile(path, '{"version": 2}')
    await expectError(readBaseline(path), 'bad-file', path)
    await expectError(readBaseline(`${path}.no`), 'missing-file')
  })

  it('of other judgments or queries is refused', async () => {
    const regraded = { ...before, qrels: new Map([...before.qrels, ['q1', new Map([['relevant', 2]])]]) }
    const reworded = { ...before, queries: before.queries.map((query) => ({ ...query, text: 'else' })) }
    for (const other of [regraded, reworded, await evaluated([1, 2, 1])])
      expectError(
        () => checksOf(other, { baseline }),
        'bad-config',
        /other queries or judgments.*--update-baseline/,
      )
  })

  it('holds whatever is at most the tolerance worse, and nothing else', async () => {
    const ranks = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 4, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(ranks, fc.double({ min: 0, max: 1, noNaN: true }), async (now, tolerance) => {
        const values = now.map((rank) => (rank === 0 ? 0 : 1 / rank))
        const loss = 0.625 - values.reduce((sum, value) => sum + value) / 4
        fc.pre(Math.abs(loss - tolerance) > 1e-8)
        const [check] = checksOf(await evaluated(now), { baseline, tolerance })
        expect(check!.holds).toBe(loss < tolerance)
        // A mean cannot fall without a query that does.
        expect(check!.queries.length > 0).toBe(loss > tolerance)
      }),
    )
  })
})

describe('a floor', () => {
  it('names the queries below it', () => {
    const [check] = checksOf(before, { atLeast: { mrr: 0.7 } })
    expect(check).toMatchObject({ metric: 'mrr', now: 0.625, least: 0.7, holds: false })
    expect(check).not.toHaveProperty('before')
    expect(check!.queries.map(({ qid }) => qid)).toEqual(['q4', 'q2'])
    expect(checksOf(before, { atLeast: { mrr: 0.625 } })[0]).toMatchObject({ holds: true })
  })

  it('above the baseline is the limit, also where no query lost against the baseline', () => {
    const [check] = checksOf(before, { baseline, atLeast: { mrr: 0.7 } })
    expect(check).toMatchObject({ before: 0.625, least: 0.7, holds: false })
    expect(check!.queries.map(({ qid }) => qid)).toEqual(['q4', 'q2'])
  })

  it('of a metric that was not measured is an error', () => {
    expectError(() => checksOf(before, { atLeast: { 'ndcg@10': 0.4 } }), 'bad-config', /ndcg@10.*only mrr/)
  })
})

it('the table has a row for each metric and the ten worst queries', async () => {
  const ranks = Array.from({ length: 12 }, () => 1)
  const good = baselineOf(await evaluated(ranks))
  const rows = checkRows(checksOf(await evaluated(ranks.map(() => 2)), { baseline: good }))
  const shown = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? cell : cell.shown)))
  expect(shown[0]).toEqual(['mrr', 'mean', '1.0000', '0.5000', '−0.500', '0.9800', 'TOO LOW'])
  expect(shown[1]).toEqual(['', 'q1: text of q1', '1.0000', '0.5000', '−0.500', '', ''])
  expect(shown).toHaveLength(1 + 10 + 1)
  expect(shown.at(-1)![1]).toBe('and 2 more')
})

describe('in tests', () => {
  expect.extend({ toHold })
  const holding = (limits: { baseline?: Baseline; atLeast?: Record<string, number> }) =>
    expect(before) as unknown as Record<'toHold', (given: typeof limits) => void> & { not: typeof holding }

  it('is a matcher', () => {
    const matcher = holding({})
    matcher.toHold({ baseline, atLeast: { mrr: 0.6 } })
    expect(() => matcher.toHold({ atLeast: { mrr: 0.7 } })).toThrow(
      /mrr is 0\.6250, and must be 0\.7000 or more\n.*q4: text of q4/s,
    )
  })

  it('is an assertion', () => {
    assertHolds(before, { baseline })
    expect(() => assertHolds(before, { atLeast: { mrr: 0.7 } })).toThrow(AssertionError)
  })
})
