import { open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { parseRecord } from '../../src/evaluation/json-lines.ts'
import { openLineJournal } from '../../src/evaluation/line-journal.ts'
import { expectError } from '../support/expect-error.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const keyOf = (line: string): string => line.split(' ')[0]!
const openLines = (path: string) => openLineJournal(path, keyOf, 'line of work ')
/** As the commands do it: a line that is not theirs is an error. */
const openRecords = (path: string) =>
  openLineJournal(
    path,
    (line, number) => parseRecord(z.object({ docid: z.string() }), line, path, number).docid,
    '{"docid":"',
  )

async function fileOf(text?: string): Promise<string> {
  const path = join(await temporaryFolder(), 'lines.txt')
  if (text !== undefined) await writeFile(path, text)
  return path
}

it('begins a file, and goes on with it', async () => {
  const path = await fileOf()
  const first = await openLines(path)
  expect([...first.keys]).toEqual([])
  await first.append('a', 'a 1')
  await first.append('b', 'b 2')
  await first.close()
  const second = await openLines(path)
  expect([...second.keys]).toEqual(['a', 'b'])
  await second.append('c', 'c 3')
  await second.close()
  expect([...second.keys]).toEqual(['a', 'b', 'c'])
  expect(await readFile(path, 'utf8')).toBe('a 1\nb 2\nc 3\n')
})

it.each([
  ['a 1\nb 2\nc', 'a 1\nb 2\n'],
  ['a 1\n', 'a 1\n'],
  ['line', ''],
  ['line of work 1', ''],
  [`a 1\n${'x'.repeat(200_000)}`, 'a 1\n'],
  [`a ${'x'.repeat(200_000)}\nb`, `a ${'x'.repeat(200_000)}\n`],
])('removes a last line that was cut', async (before, after) => {
  const path = await fileOf(before)
  const journal = await openLines(path)
  await journal.append('d', 'd 4')
  await journal.close()
  expect(await readFile(path, 'utf8')).toBe(`${after}d 4\n`)
})

it('a line without a key is the error of whoever reads it, and nothing is lost', async () => {
  const path = await fileOf('a 1\nb 2\n')
  const read = (line: string, number: number): string => {
    if (number === 2) throw new Error(`line ${number} is ${line}`)
    return line
  }
  const failing = openLineJournal(path, read, '')
  await expect(failing).rejects.toThrow('line 2 is b 2')
  expect(await readFile(path, 'utf8')).toBe('a 1\nb 2\n')
})

it('stops reading when it is aborted, and leaves the file as it is', async () => {
  const whole = Array.from({ length: 100_000 }, (_, place) => `${place} of many`).join('\n')
  const path = await fileOf(`${whole}\ncut`)
  const [stop, reason] = [new AbortController(), new Error('enough')]
  let lines = 0
  const stopping = openLineJournal(
    path,
    (line) => {
      if (++lines === 1) stop.abort(reason)
      return keyOf(line)
    },
    '',
    { signal: stop.signal },
  )
  await expectError(stopping, 'aborted')
  expect(lines).toBeLessThan(100_000)
  const notBegun = openLineJournal(path, keyOf, '', { signal: stop.signal })
  await expect(notBegun).rejects.toMatchObject({ code: 'aborted', cause: reason })
  expect(await readFile(path, 'utf8')).toBe(`${whole}\ncut`)
})

it('a folder that does not exist', async () => expectError(openLines('no such folder/file'), 'write-failed'))

it('writes one line after the other, however long', async () => {
  const path = await fileOf()
  const journal = await openLines(path)
  const lines = [...'abcd'].map((key) => `${key} ${key.repeat(2_000_000)}`)
  await Promise.all(lines.map((line) => journal.append(line[0]!, line)))
  await journal.close()
  expect((await readFile(path, 'utf8')) === `${lines.join('\n')}\n`).toBe(true)
})

describe('leaves as it is', () => {
  it.each([
    ['one line without its end', '{"a": "my trained policy"}', ''],
    ['one line of another work, without its end', '{"docids":["d1"]}', ''],
    ['text without a line end', 'x'.repeat(200_000), ''],
    ['blank lines and a text', '\n\nmine', ''],
    ['notes', 'first line\nlast line of my notes', /:1: .*JSON/],
    ['other records', '{"qid": "1"}\n{"qid": "2"}\n', /:1: .*"docid"/],
    ['bytes', Buffer.from([0xff, 0x0a, 0xfe]), /:1: .*UTF-8/],
  ])('%s', async (_name, content, reason) => {
    const path = await fileOf()
    await writeFile(path, content)
    await expectError(openRecords(path), 'bad-config', reason)
    expect((await readFile(path)).equals(Buffer.from(content))).toBe(true)
  })

  it('a file of which one line is damaged', async () => {
    const content = '{"docid": "1"}\n{"doc\n{"docid": "2"}\n{"docid"'
    const path = await fileOf(content)
    await expectError(openRecords(path), 'bad-file', `${path}:2: `)
    expect(await readFile(path, 'utf8')).toBe(content)
  })
})

it('refuses what is no file, and the name of a packed one, before anything is made', async () => {
  const folder = await temporaryFolder()
  for (const path of ['/dev/null', folder]) await expectError(openLines(path), 'bad-config', path)
  const path = join(folder, 'lines.jsonl.gz')
  await expectError(openLines(path), 'bad-config', /"\.gz"/)
  await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' })
})

it('a full disk is an error of writing, and nothing comes behind half a line', async () => {
  const path = await fileOf()
  const handle = await open(path, 'a')
  await handle.close()
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  const append = vi.spyOn(Object.getPrototypeOf(handle), 'appendFile').mockRejectedValueOnce(full)
  const journal = await openLines(path)
  const results = await Promise.allSettled([journal.append('a', 'a 1'), journal.append('b', 'b 2')])
  await journal.close()
  append.mockRestore()
  for (const result of results)
    expect(result).toMatchObject({
      status: 'rejected',
      reason: { code: 'write-failed', message: expect.stringContaining('ENOSPC') },
    })
  expect([...journal.keys]).toEqual([])
  expect(await readFile(path, 'utf8')).toBe('')
})
