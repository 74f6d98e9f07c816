import { readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  compactJournal,
  isJournalName,
  journalName,
  openEmbeddingJournal,
  textDigest,
} from '../../src/index-folder/embedding-journal.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const [a, b, c] = ['a', 'b', 'c'].map(textDigest) as [string, string, string]
const vector = (...values: number[]) => Float32Array.from(values)

async function journalWith(entries: [string, Float32Array][]): Promise<string> {
  const path = join(await temporaryFolder(), 'journal')
  const journal = await openEmbeddingJournal(path, 2)
  for (const [digest, values] of entries) await journal.append(new Map([[digest, values]]))
  await journal.close()
  return path
}

/** 16 bytes of digest, two floats, four bytes of CRC. */
const recordBytes = 28

describe('openEmbeddingJournal', () => {
  it('gives back what was appended, in this process and the next', async () => {
    const path = await journalWith([
      [a, vector(0.6, -0.8)],
      [b, vector(1, 0)],
    ])
    expect((await stat(path)).size).toBe(2 * recordBytes)
    const journal = await openEmbeddingJournal(path, 2)
    await journal.append(new Map([[c, vector(0, 1)]]))
    expect(journal.size).toBe(3)
    expect(journal.has(textDigest('d'))).toBe(false)
    expect([...(await journal.get(a))]).toEqual([Math.fround(0.6), Math.fround(-0.8)])
    expect([...(await journal.get(c))]).toEqual([0, 1])
    await journal.close()
  })

  it('replaces the vector of a text, and keeps what comes after it', async () => {
    const path = await journalWith([
      [a, vector(1, 0)],
      [a, vector(0, 1)],
      [b, vector(0.5, 0.5)],
    ])
    const journal = await openEmbeddingJournal(path, 2)
    await journal.append(new Map([[c, vector(0, -1)]]))
    const vectors = await Promise.all([a, b, c].map((digest) => journal.get(digest)))
    expect(vectors).toEqual([vector(0, 1), vector(0.5, 0.5), vector(0, -1)])
    expect(journal.size).toBe(3)
    await journal.close()
  })

  it.each(Array.from({ length: recordBytes }, (_, bytes) => bytes))(
    'drops a last record of %d bytes and goes on after the one before',
    async (bytes) => {
      const path = await journalWith([
        [a, vector(1, 0)],
        [b, vector(0, 1)],
      ])
      await truncate(path, recordBytes + bytes)
      const journal = await openEmbeddingJournal(path, 2)
      expect([journal.has(a), journal.has(b)]).toEqual([true, false])
      await journal.append(new Map([[c, vector(0.6, 0.8)]]))
      await journal.close()
      const again = await openEmbeddingJournal(path, 2)
      expect([again.size, ...(await again.get(c))]).toEqual([2, Math.fround(0.6), Math.fround(0.8)])
      await again.close()
    },
  )

  it('drops everything from the first record that is not what was written', async () => {
    const path = await journalWith([
      [a, vector(1, 0)],
      [b, vector(0, 1)],
      [c, vector(0, -1)],
    ])
    const bytes = await readFile(path)
    bytes[recordBytes + 20]! ^= 1
    await writeFile(path, bytes)
    const journal = await openEmbeddingJournal(path, 2)
    expect([journal.has(a), journal.has(b), journal.has(c)]).toEqual([true, false, false])
    await journal.close()
  })

  it('reads journals of many blocks', async () => {
    const path = join(await temporaryFolder(), 'journal')
    const journal = await openEmbeddingJournal(path, 2)
    const texts = Array.from({ length: 100_000 }, (_, number) => textDigest(`text ${number}`))
    await journal.append(new Map(texts.map((digest, number) => [digest, vector(number, 0)])))
    await journal.close()
    const again = await openEmbeddingJournal(path, 2)
    expect(again.size).toBe(100_000)
    expect((await again.get(texts[77_777]!))[0]).toBe(77_777)
    await again.close()
  })
})

describe('compactJournal', () => {
  it('leaves only the texts that are wanted, once most are not', async () => {
    const path = await journalWith([
      [a, vector(1, 0)],
      [b, vector(0, 1)],
      [c, vector(0, -1)],
    ])
    await compactJournal(path, 2, new Set([a, b]))
    expect((await stat(path)).size).toBe(3 * recordBytes)
    await compactJournal(path, 2, new Set([c]))
    const journal = await openEmbeddingJournal(path, 2)
    expect([journal.size, ...(await journal.get(c))]).toEqual([1, 0, -1])
    await journal.close()
  })
})

it.skipIf(process.platform === 'win32')('follows no link (Windows cannot tell)', async () => {
  const folder = await temporaryFolder()
  const [path, other] = [join(folder, 'journal'), join(folder, 'other')]
  await writeFile(other, 'of somebody else')
  await symlink(other, path)
  await expect(openEmbeddingJournal(path, 2)).rejects.toThrow('ELOOP')
  expect(await readFile(other, 'utf8')).toBe('of somebody else')
})

describe('journalName', () => {
  it('differs by model and by size', () => {
    const names = [journalName('a', 2), journalName('b', 2), journalName('a', 3)]
    expect(new Set(names).size).toBe(3)
    for (const name of names) expect(isJournalName(name)).toBe(true)
  })
})
