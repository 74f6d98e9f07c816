/** What the log of a shadow says: figures worked out by hand. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readShadowLog } from '../../src/evaluation/shadow-log.ts'
import { shadowFinding, shadowPage, shadowTables } from '../../src/evaluation/shadow-report.ts'
import { listChange, type ShadowSearch } from '../../src/shadow-search.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const at = '2026-11-27T10:00:00.000Z'
const plain = { at, qid: 'q', index: 'shop', outcome: 'unchanged', engineMs: 10, requests: 1 } as const
const changed = (
  qid: string,
  before: string,
  after: string,
  more: Partial<ShadowSearch> = {},
): ShadowSearch => ({
  ...{
    ...plain,
    qid,
    outcome: 'changed',
    decision: 'decompose',
    optimizedMs: 30,
    requests: 3,
    asks: 1,
    tokens: 100,
  },
  ...{ before: [...before], after: [...after], ...listChange([...before], [...after]), usd: 0.5, ...more },
})
const searches: readonly ShadowSearch[] = [
  // Displacements: 2 / 6, then 1, 0.5 (one hit where there was none) and, of the same words as the first, 1.
  changed('swap', 'ab', 'ba', { at: '2026-11-26T10:00:00.000Z' }),
  changed('other', 'ab', 'cd', { index: 'docs', words: '<b>who</b>', titles: { a: 'Title of <a>' } }),
  changed('found', '', 'a', { engineMs: 20 }),
  changed('swap', 'ab', 'cd'),
  { ...plain, decision: 'as-is', optimizedMs: 20 },
  { ...plain, outcome: 'passed through', reason: 'it is sorted' },
  { ...plain, outcome: 'passed through', reason: 'it is sorted', at: '2026-11-28T10:00:00.000Z' },
  { ...plain, outcome: 'shed' },
]

async function logOf(lines: readonly unknown[]): Promise<string> {
  const log = join(await temporaryFolder(), 'shadow.jsonl')
  await writeFile(log, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return log
}

it('sums up what would change, by index and reason, and what it costs', async () => {
  const summary = await readShadowLog(await logOf(searches))
  expect(summary).toMatchObject({
    ...{ from: '2026-11-26T10:00:00.000Z', to: '2026-11-28T10:00:00.000Z', shed: 1 },
    all: {
      ...{ searches: 7, changed: 4, firstChanged: 4 },
      ...{ overlap: 1 / 4, displacement: (1 / 3 + 1 + 1 / 2 + 1) / 4 },
    },
    indices: [
      { name: 'shop', searches: 6, changed: 3 },
      { name: 'docs', searches: 1, changed: 1 },
    ],
    reasons: [
      { name: 'changed', searches: 4 },
      { name: 'passed through: it is sorted', searches: 2, changed: 0 },
      { name: 'unchanged', searches: 1 },
    ],
  })
  expect(summary.decisions.map(({ name }) => name)).toEqual(['split', 'passed through', 'unchanged'])
  expect(summary.decisions[0]).toMatchObject({
    ...{ searches: 4, engineMs: { p50: 10, p95: expect.closeTo(18.5) }, optimizedMs: { p50: 30, p95: 30 } },
    ...{ requests: 3, asks: 1, tokens: 100, usd: 2 },
  })
  // Of the same words and index the larger change.
  expect(summary.most.map(({ qid, displacement }) => [qid, displacement])).toEqual([
    ['swap', 1],
    ['other', 1],
    ['found', 0.5],
  ])
})

it('says it in words and tables, of which each number can be checked', async () => {
  const summary = await readShadowLog(await logOf(searches))
  const { title, lead } = shadowFinding(summary)
  expect(title).toBe('57\u00a0% of the searches would change')
  // 204 decided searches for 60 % wins, and of 7 searches 4 would change: 204 · 7 / 4 = 357.
  expect(lead.join(' ')).toContain('204 of them if it wins 60\u00a0%, which is 357 searches at least')
  expect(shadowTables(summary)[0].rows[0]?.slice(0, 4)).toMatchObject([
    'shop',
    { exact: 6 },
    { exact: 3 },
    { shown: '50\u00a0%' },
  ])
})

it('names twenty at most, those that would change most', async () => {
  const many = Array.from({ length: 1500 }, (_, number) => ({
    ...changed(`q${number}`, 'a', 'b'),
    displacement: number / 1500,
  }))
  const { most } = await readShadowLog(await logOf(many))
  expect(most.map(({ qid }) => qid)).toEqual(Array.from({ length: 20 }, (_, place) => `q${1499 - place}`))
})

it('is a page that says nothing as markup that somebody else wrote', async () => {
  const page = shadowPage(await readShadowLog(await logOf(searches)))
  expect(page).toContain('&lt;b&gt;who&lt;/b&gt;')
  expect(page).toContain('Title of &lt;a&gt;')
  expect(page).not.toContain('<b>who')
})

it('of no search is a page, too', async () =>
  expect(shadowPage(await readShadowLog(await logOf([])))).toContain('0\u00a0% of the searches would change'))

it('names the line that is wrong', async () =>
  expect(readShadowLog(await logOf([plain, { ...plain, outcome: 'lost' }]))).rejects.toMatchObject({
    code: 'bad-file',
    message: expect.stringContaining(':2'),
  }))
