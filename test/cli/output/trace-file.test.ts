import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openTraceFile } from '../../../src/cli/output/trace-file.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

it('refuses the name of a packed file, whose lines nobody could read', async () => {
  const folder = await temporaryFolder()
  await expect(openTraceFile(join(folder, 'traces.jsonl.gz'))).rejects.toMatchObject({
    code: 'bad-config',
    message: expect.stringContaining('Drop ".gz" from its name'),
  })
  expect(await readdir(folder)).toEqual([])
})
