/** What `npm run verify` says at its end, and what it calls a failure. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { tests } from '../../scripts/verify-steps.mjs'
import { leftToFull, summarize } from '../../scripts/verify-summary.mjs'

const file = { file: 'test/a.test.ts', seconds: 2, passed: 3, skipped: [], failures: [] }
const unit = { name: 'unit', ok: true, seconds: 5, files: [file], errors: [] }
const all = { ended: [unit], missing: [], leftToFull: [], seconds: 6, strict: true }

describe('the summary', () => {
  it('has the seconds of each step and the twenty slowest files, slowest first', () => {
    const files = Array.from({ length: 25 }, (_, place) => ({ ...file, file: `${place}.ts`, seconds: place }))
    const { text, ok } = summarize({
      ...all,
      ended: [
        { ...unit, files },
        { ...unit, name: 'live' },
      ],
    })
    expect(ok).toBe(true)
    expect(text).toMatch(/Seconds of each step:\n +5\.0 {2}ok +unit\n +5\.0 {2}ok +live\n +6\.0 {2}ok +all\n/)
    const listed = [...text.matchAll(/ (\d+)\.ts \(unit\)/g)].map(([, place]) => Number(place))
    expect(listed).toEqual(Array.from({ length: 20 }, (_, place) => 24 - place))
    expect(text).toMatch(/78 passed, 0 failed, 0 skipped$/)
  })

  it('names what was left out, not installed, skipped and failed', () => {
    const files = [{ ...file, skipped: ['is skipped'], failures: ['fails\nError: why'] }]
    const ended = [{ ...unit, ok: false, files, errors: ['no worker'] }]
    const { text, ok } = summarize({ ...all, ended, missing: ['java: none'], leftToFull: ['more cases'] })
    expect(ok).toBe(false)
    for (const part of ['more cases', 'java: none', 'test/a.test.ts: is skipped', 'unit: no worker'])
      expect(text).toContain(`\n  ${part}`)
    expect(text).toContain('unit: test/a.test.ts: fails\nError: why')
    expect(text).toMatch(/FAILED unit/)
  })

  it.each([
    ['a skipped test', 'works', true, false],
    ['a skipped test where it is not strict', 'works', false, true],
    ['one that needs the judged collections', 'works (needs the judged collections)', true, true],
  ])('is judged by %s', (_, name, strict, ok) => {
    const ended = [{ ...unit, files: [{ ...file, skipped: [name] }] }]
    expect(summarize({ ...all, ended, strict }).ok).toBe(ok)
  })
})

it('what is left to --full are the rows of the table in CONTRIBUTING.md', () => {
  const rows = leftToFull()
  expect(rows.length).toBeGreaterThan(5)
  for (const row of rows) expect(row).toMatch(/^[^|]+: [^|-][^|]* \(now: [^|-][^|]*\)$/)
  expect(rows[0]).toBe(
    'Fuzzed readers and parsers: 100,000 cases each (now: 5,000 cases each, with a fresh seed)',
  )
})

it('a run of vitest tells its files, seconds, skipped and failed tests', { timeout: 60_000 }, async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  const folder = 'test/fixtures/verify'
  const { ok, files } = await tests('any', ['--config', `${folder}/vitest.config.ts`]).work('any | ')
  expect(ok).toBe(false)
  expect(files).toEqual([
    {
      file: `${folder}/some.case.ts`,
      seconds: expect.any(Number),
      passed: 1,
      skipped: ['group > is skipped'],
      failures: [expect.stringMatching(/^group > fails\n.*expected 1 to be 2/s)],
    },
  ])
  // Hooks count: some files do all of their work in them.
  expect(files![0]!.seconds).toBeGreaterThan(0.05)
})
