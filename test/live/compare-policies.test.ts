/** What is said of two files of a policy that are not the same bytes. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { areNear, describeFigures, type Figures, figuresOf } from '../../scripts/compare-policies.ts'
import { runCli } from '../../src/cli/run-cli.ts'
import { sampleFolder, smallPolicyFile } from '../support/small-policy.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testTerminal } from '../support/test-terminal.ts'

const figures = (shipped: number, trained: number): Figures => ({
  collection: 'towns',
  what: 're-ranked',
  shipped,
  trained,
})

it('finds figures near that are no more than 0.3 points apart, whichever is the better one', () => {
  expect(areNear([figures(70, 70.29), figures(70, 69.71)])).toBe(true)
  expect(areNear([figures(70, 70), figures(70, 70.31)])).toBe(false)
  expect(areNear([figures(70, 69.69), figures(70, 70)])).toBe(false)
})

it('says the figures, and which of them are too far apart', () => {
  const near = 'towns, re-ranked: nDCG@10 70.00 as shipped, 70.25 as trained here'
  expect(describeFigures(figures(70, 70.25))).toBe(near)
  expect(describeFigures(figures(70, 71))).toBe(
    'towns, re-ranked: nDCG@10 70.00 as shipped, 71.00 as trained here: more than 0.3 apart',
  )
})

it('evaluates both files on the test queries, without their re-ranking and with it', async () => {
  const index = join(await temporaryFolder(), 'index')
  expect(await runCli(['index', sampleFolder, '--out', index], testTerminal())).toBe(0)
  const searched = { name: 'sample', folder: sampleFolder, index, retrievers: 'bm25' }
  // They decide the same; the second has nothing to re-rank with.
  const paths = { shipped: await smallPolicyFile(), trained: await smallPolicyFile(['decision']) }
  const terminal = testTerminal()
  const [alone, reranked, ...others] = await figuresOf(searched, paths, terminal)

  expect(others).toEqual([])
  expect(alone).toMatchObject({ collection: 'sample', what: 'decision alone', trained: alone!.shipped })
  expect(reranked).toMatchObject({ what: 're-ranked', trained: alone!.shipped })
  expect(reranked!.shipped).not.toBe(alone!.shipped)
  const flags = ['--index', index, '--policy', paths.shipped, '--metrics', 'ndcg@10', '--json']
  const typed = testTerminal()
  await runCli(['evaluate', sampleFolder, ...flags], typed)
  expect(reranked!.shipped).toBe(100 * JSON.parse(typed.output()).metrics['ndcg@10'])
  // What is found is read, and not printed beside what is said.
  expect(terminal.output()).toBe('')
})

it('throws where a file cannot be evaluated, and says why', async () => {
  const terminal = testTerminal()
  const searched = { name: 'sample', folder: sampleFolder, index: 'nowhere', retrievers: 'bm25' }
  const path = await smallPolicyFile()
  await expect(figuresOf(searched, { shipped: path, trained: path }, terminal)).rejects.toThrow('sample')
  expect(terminal.errors()).toContain('nowhere')
})
