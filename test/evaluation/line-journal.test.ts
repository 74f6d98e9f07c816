import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openLineJournal } from '../../src/evaluation/line-journal.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const keyOf = (line: string): string => line.split(' ')[0]!

async function fileOf(text?: string): Promise<string> {
  const path = join(await temporaryFolder(), 'lines.txt')
  if (text !== undefined) await writeFile(path, text)
  return path
}

it('begins a file, and goes on with it', async () => {
  const path = await fileOf()
  const first = await openLineJournal(path, keyOf)
  expect([...first.keys]).toEqual([])
  await first.append('a', 'a 1')
  await first.append('b', 'b 2')
  await first.close()
  const second = await openLineJournal(path, keyOf)
  expect([...second.keys]).toEqual(['a', 'b'])
  await second.append('c', 'c 3')
  await second.close()
  expect([...second.keys]).toEqual(['a', 'b', 'c'])
  expect(await readFile(path, 'utf8')).toBe('a 1\nb 2\nc 3\n')
})

it.each([
  ['a 1\nb 2\nc', 'a 1\nb 2\n'],
  ['a 1\n', 'a 1\n'],
  ['a', ''],
  [`a 1\n${'x'.repeat(200_000)}`, 'a 1\n'],
  [`a ${'x'.repeat(200_000)}\nb`, `a ${'x'.repeat(200_000)}\n`],
])('removes a last line that was cut', async (before, after) => {
  const path = await fileOf(before)
  const journal = await openLineJournal(path, keyOf)
  await journal.append('d', 'd 4')
  await journal.close()
  expect(await readFile(path, 'utf8')).toBe(`${after}d 4\n`)
})

it('a line without a key is the error of whoever reads it, and nothing is lost', async () => {
  const path = await fileOf('a 1\nb 2\n')
  const failing = openLineJournal(path, (line, number) => {
    if (number === 2) throw new Error(`line ${number} is ${line}`)
    return line
  })
  await expect(failing).rejects.toThrow('line 2 is b 2')
  expect(await readFile(path, 'utf8')).toBe('a 1\nb 2\n')
})

it('a folder that does not exist', async () =>
  expect(openLineJournal('no such folder/file', keyOf)).rejects.toMatchObject({ code: 'write-failed' }))

it('writes one line after the other, however long', async () => {
  const path = await fileOf()
  const journal = await openLineJournal(path, keyOf)
  const lines = [...'abcd'].map((key) => `${key} ${key.repeat(2_000_000)}`)
  await Promise.all(lines.map((line) => journal.append(line[0]!, line)))
  await journal.close()
  expect((await readFile(path, 'utf8')) === `${lines.join('\n')}\n`).toBe(true)
})
