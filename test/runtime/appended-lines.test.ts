import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { appendLines } from '../../src/runtime/appended-lines.ts'
import { manualClock } from '../support/manual-clock.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it('writes lines together, behind those of before, and the last ones at the end', async () => {
  const path = join(await temporaryFolder(), 'lines.log')
  const clock = manualClock()
  const lines = await appendLines(path, clock)
  lines.append('a')
  lines.append('b')
  await clock.advance(99)
  expect(await readFile(path, 'utf8')).toBe('')
  await clock.advance(1)
  await vi.waitFor(async () => expect(await readFile(path, 'utf8')).toBe('a\nb\n'))
  lines.append('c')
  await lines.close()
  expect(await readFile(path, 'utf8')).toBe('a\nb\nc\n')
  const more = await appendLines(path, clock)
  more.append('d')
  await more.close()
  expect(await readFile(path, 'utf8')).toBe('a\nb\nc\nd\n')
})

it('leaves out what the disk does not keep up with', async () => {
  const path = join(await temporaryFolder(), 'lines.log')
  const lines = await appendLines(path, manualClock())
  for (let line = 0; line < 20; line++) lines.append('x'.repeat(100_000))
  await lines.close()
  // A mebibyte, and the line that reaches it.
  expect((await readFile(path, 'utf8')).length).toBe(11 * 100_001)
})
