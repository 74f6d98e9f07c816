import { expect, it } from 'vitest'
import { createOptimizer } from '../../../src/optimizer.ts'
import { readTraces } from '../../../src/training/data/read-traces.ts'
import type { Trace } from '../../../src/types.ts'
import { expectError } from '../../support/expect-error.ts'
import { allOf, sourceOf } from '../../support/lines-of.ts'
import { scriptedRetriever } from '../../support/scripted.ts'

const read = (content: string): Promise<Trace[]> => allOf(readTraces(sourceOf('traces.jsonl', content)))

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
