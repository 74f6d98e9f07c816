import { lstat, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { partFile, replaceFile, writeAtomically } from '../../src/runtime/atomic-file.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('writeAtomically', () => {
  it('replaces the file that a link points to, once everything is written', async () => {
    const folder = await temporaryFolder()
    const [path, link] = [join(folder, 'file'), join(folder, 'link')]
    await writeFile(path, 'old')
    await symlink(path, link)
    await writeAtomically(link, async (part) => {
      await writeFile(part, 'new')
      expect(await readFile(path, 'utf8')).toBe('old')
    })
    expect(await readFile(path, 'utf8')).toBe('new')
    expect((await readdir(folder, { withFileTypes: true })).filter((file) => file.isFile())).toHaveLength(1)
  })

  it('writes under a name that nobody can guess, and to no file that is there', async () => {
    const folder = await temporaryFolder()
    const [path, other] = [join(folder, 'file'), join(folder, 'other')]
    await writeFile(other, 'of somebody else')
    await symlink(other, `${path}.part`)
    const parts = await Promise.all([partFile(path), partFile(path)])
    expect(new Set(parts.map(({ part }) => part)).size).toBe(2)
    const write = async (part: string, flag: string) => {
      await symlink(other, part)
      await writeFile(part, 'new', { flag })
    }
    await expect(writeAtomically(path, write)).rejects.toThrow('EEXIST')
    await writeAtomically(path, (part, flag) => writeFile(part, 'new', { flag }))
    expect([await readFile(path, 'utf8'), await readFile(other, 'utf8')]).toEqual(['new', 'of somebody else'])
  })

  it.each([
    [
      'keeps an incomplete file',
      async (path: string) => {
        const { part, flag, keep } = await partFile(path)
        await writeFile(part, 'new', { flag })
        expect(await keep()).toBe(`${path}.part`)
      },
    ],
    ['replaces a file that nobody named', (path: string) => replaceFile(`${path}.part`, ['new'], false)],
  ])('%s in place of a link', async (_, write) => {
    const folder = await temporaryFolder()
    const [path, other] = [join(folder, 'file'), join(folder, 'other')]
    await writeFile(other, 'of somebody else')
    await symlink(other, `${path}.part`)
    await write(path)
    expect((await lstat(`${path}.part`)).isSymbolicLink()).toBe(false)
    expect([await readFile(`${path}.part`, 'utf8'), await readFile(other, 'utf8')]).toEqual([
      'new',
      'of somebody else',
    ])
    expect((await readdir(folder)).sort()).toEqual(['file.part', 'other'])
  })

  it('removes the part when writing fails', async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'file')
    const write = async (part: string) => {
      await writeFile(part, 'half')
      throw new Error('full')
    }
    await expect(writeAtomically(path, write)).rejects.toThrow('full')
    expect(await readdir(folder)).toEqual([])
  })
})

it.skipIf(process.platform === 'win32')(
  'writes directly to anything but a regular file (needs /dev/null: not on Windows)',
  async () => {
    expect((await partFile('/dev/null')).part).toBe('/dev/null')
  },
)
