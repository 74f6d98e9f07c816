import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openTraceFile } from '../../../src/cli/output/trace-file.ts'
import { expectError } from '../../support/expect-error.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

it('refuses the name of a packed file, whose lines nobody could read', async () => {
  const folder = await temporaryFolder()
  await expectError(openTraceFile(join(folder, 'traces.jsonl.gz')), 'bad-config', /"\.gz"/)
  expect(await readdir(folder)).toEqual([])
})
