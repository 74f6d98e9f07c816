import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createOptimizer } from '../../../src/optimizer.ts'
import { readTraces } from '../../../src/training/data/read-traces.ts'
import type { Trace } from '../../../src/types.ts'
import { expectError } from '../../support/expect-error.ts'
import { scriptedRetriever } from '../../support/scripted.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

async function read(content: string): Promise<Trace[]> {
  const path = join(await temporaryFolder(), 'traces.jsonl')
  await writeFile(path, content)
  const traces: Trace[] = []
  for await (const trace of readTraces(path)) traces.push(trace)
  return traces
}

it('reads what a search left', async () => {
  const { trace } = await createOptimizer({
    retrievers: [scriptedRetriever({ found: { a: ['d'] } })],
  }).search('a')
  const line = JSON.stringify(trace)
  expect(await read(`${line}\n\n${line}\n`)).toEqual([JSON.parse(line), JSON.parse(line)])
})

it.each([
  ['{', /traces\.jsonl:1: .*JSON/],
  ['{"version": 3}', /traces\.jsonl:1: .*version/],
])('names the line of %s', async (line, message) => {
  await expectError(read(`${line}\n`), 'bad-file', message)
})
