import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { workThrough } from '../../src/training/work-through.ts'
import { expectError } from '../support/expect-error.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it('stops while it reads what is in the file', async () => {
  const out = join(await temporaryFolder(), 'done.txt')
  await writeFile(out, Array.from({ length: 100_000 }, (_, place) => `done ${place}\n`).join(''))
  const stop = new AbortController()
  let read = 0
  const working = workThrough(['one'], {
    out,
    keyOf: (item) => item,
    keyOfLine(line) {
      if (++read === 1) stop.abort()
      return line
    },
    lineBegins: 'done ',
    work: async (item) => `done ${item}`,
    signal: stop.signal,
  })
  await expectError(working, 'aborted')
  expect(read).toBeLessThan(100_000)
})
