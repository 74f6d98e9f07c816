import { readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { partFile, writeAtomically } from '../../src/runtime/atomic-file.ts'
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
