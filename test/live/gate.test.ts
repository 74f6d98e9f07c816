/** The gate as a server of continuous integration runs it: the built command, its exit status, and what it leaves behind. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCommand } from '../support/spawn-cli.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it('passes what holds the baseline of the sample, and ends with 3 without re-ranking', async () => {
  const folder = await temporaryFolder()
  const [index, report] = [join(folder, 'index'), join(folder, 'gate.xml')]
  expect(await runCommand(['index', 'src/sample', '--out', index])).toMatchObject({ status: 0 })
  const argv = ['evaluate', 'src/sample', '--index', index, '--format', 'markdown']
  const limits = ['--baseline', 'test/fixtures/sample-baseline.json', '--report', report]
  expect(await runCommand([...argv, ...limits])).toMatchObject({ status: 0 })
  expect(await readFile(report, 'utf8')).toContain('tests="3" failures="0"')

  const fell = await runCommand([...argv, ...limits, '--no-rerank'])
  expect(fell.status).toBe(3)
  expect(fell.output).toMatch(/^\| ndcg@10 \| mean \| .* \| TOO LOW \|\n\| {2}\| q\d+: /m)
  expect(await readFile(report, 'utf8')).toContain('tests="3" failures="3"')
})
