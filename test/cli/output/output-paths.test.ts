import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkOut, checkOutputs } from '../../../src/cli/output/output-paths.ts'
import { expectError } from '../../support/expect-error.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { testTerminal } from '../../support/test-terminal.ts'

/** Checks paths in a folder with a collection, a run, and a link to that. `read.jsonl`, the run and the collection are read. */
async function check(outputs: Readonly<Record<string, string | undefined>>): Promise<void> {
  const folder = await temporaryFolder()
  const at = (name: string): string => join(folder, name)
  await mkdir(at('collection/qrels'), { recursive: true })
  await writeFile(at('run.trec'), '')
  await symlink(at('run.trec'), at('link.trec'))
  const paths = Object.entries(outputs).map(([option, name]) => [
    option,
    name === undefined || name.startsWith('/') ? name : at(name),
  ])
  await checkOutputs(Object.fromEntries(paths), [at('read.jsonl'), at('collection'), undefined])
}

it.each([
  [{ '--out': 'a.json', '--report': 'a.json' }, /--out and --report/],
  [{ '--out': 'a.json', '--report': 'b/../a.json' }, /--out and --report/],
  [{ '--run': 'run.trec', '--traces': 'link.trec' }, /--run and --traces/],
  [{ '--out': 'read.jsonl' }, /^--out \S+read\.jsonl/],
  [{ '--report': 'collection/qrels/test.tsv' }, /^--report \S+test\.tsv/],
  [{ '--traces': 'collection/corpus.jsonl' }, /^--traces \S+corpus\.jsonl/],
])('%j is refused', async (outputs, message) => {
  await expectError(check(outputs), 'bad-config', message)
})

it('files of their own, devices, and what is not written are fine', async () => {
  const devices = { '--run': '/dev/null', '--log': '/dev/null' }
  await check({ '--out': 'a.json', '--report': undefined, '--traces': 'collection/traces.jsonl', ...devices })
})

describe('a file that is written beside a collection', () => {
  async function checkOne(name: string): Promise<string> {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'qrels'))
    const terminal = testTerminal()
    await checkOut(join(folder, name), folder, [], terminal)
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
    await expectError(checkOne(name), 'bad-config', /^--out /)
  })

  it('is announced', async () =>
    expect(await checkOne('train.json')).toMatch(
      /^--out \S+train\.json is in the folder of the collection itself\.\n$/,
    ))

  it('is not announced elsewhere', async () => expect(await checkOne('../train.json')).toBe(''))
})
