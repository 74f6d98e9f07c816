/** `querent shadow report`, of what `querent proxy --shadow` logged. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runToEnd } from '../../support/run-to-end.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const line = {
  ...{ at: '2026-11-27T10:00:00.000Z', qid: 'q1', index: 'shop', outcome: 'changed', decision: 'decompose' },
  ...{ before: ['a', 'b'], after: ['b', 'a'], overlap: 1, displacement: 1 / 3, engineMs: 10, requests: 2 },
  ...{ words: 'red *shoes*', titles: { a: 'A | B' } },
}

async function report(...flags: readonly string[]) {
  const folder = await temporaryFolder()
  const log = join(folder, 'shadow.jsonl')
  await writeFile(log, `${JSON.stringify(line)}\n`)
  const ran = await runToEnd(['shadow', 'report', log, ...flags.map((flag) => flag.replace('IN', folder))])
  return { ...ran, folder }
}

it('prints lines for people, with ranks without Querent and with it', async () => {
  const { status, output } = await report()
  expect(status).toBe(0)
  expect(output).toContain('100 % of the searches would change')
  expect(output).toContain('1. red *shoes* (shop, displacement 0.33)\n    - A | B: 1 → 2\n    - b: 2 → 1')
})

it('writes Markdown and a page, in which words are words', async () => {
  const { folder, errors } = await report('--out', 'IN/report.md')
  expect(errors).toContain('Wrote the report')
  const text = await readFile(join(folder, 'report.md'), 'utf8')
  expect(text).toContain('1. red \\*shoes\\* (shop, displacement 0.33)\n    - A \\| B: 1 → 2\n    - b: 2 → 1')
  const page = await report('--out', 'IN/report.html')
  expect(await readFile(join(page.folder, 'report.html'), 'utf8')).toMatch(/^<!doctype html>/)
})

it('prints one JSON document', async () =>
  expect(JSON.parse((await report('--json')).output)).toMatchObject({
    all: { searches: 1, changed: 1 },
    most: [line],
  }))

it.each([
  [['report', 'none.jsonl'], 1],
  [['tell', 'x'], 2],
  [['report', 'x', '--out', 'report.pdf'], 2],
] as const)('shadow %j ends with %d', async (argv, status) =>
  expect((await runToEnd(['shadow', ...argv])).status).toBe(status),
)
