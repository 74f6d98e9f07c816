import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkOutputs, warnBesideSources } from '../../../src/cli/output/output-paths.ts'
import { expectError } from '../../support/expect-error.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { testTerminal } from '../../support/test-terminal.ts'

describe('a file that is written beside a collection', () => {
  async function check(name: string): Promise<string> {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'qrels'))
    const terminal = testTerminal()
    await checkOutputs({ '--out': join(folder, name) }, [folder])
    warnBesideSources(join(folder, name), folder, terminal)
    return terminal.errors()
  }

  it.each([
    'corpus.jsonl',
    'queries.jsonl.gz',
    'queries.train.jsonl',
    'qrels.tsv',
    'qrels.dev.tsv',
    'qrels/x.json',
  ])('may not replace %s', async (name) => {
    await expectError(check(name), 'bad-config', /^--out /)
  })

  it('is announced', async () =>
    expect(await check('train.json')).toMatch(
      /^--out \S+train\.json is in the folder of the collection itself\.\n$/,
    ))

  it('is not announced elsewhere', async () => expect(await check('../train.json')).toBe(''))
})
