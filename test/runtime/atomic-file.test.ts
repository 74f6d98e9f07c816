import { readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { partFile, writeWhole } from '../../src/runtime/atomic-file.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('writeWhole', () => {
  it('replaces what is there when all is written, and what a link leads to', async () => {
    const folder = await temporaryFolder()
    const [path, link] = [join(folder, 'file'), join(folder, 'link')]
    await writeFile(path, 'old')
    await symlink(path, link)
    await writeWhole(link, async (part) => {
      await writeFile(part, 'new')
      expect(await readFile(path, 'utf8')).toBe('old')
    })
    expect(await readFile(path, 'utf8')).toBe('new')
    expect((await readdir(folder, { withFileTypes: true })).filter((file) => file.isFile())).toHaveLength(1)
  })

  it('leaves nothing of what could not be written', async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'file')
    const write = async (part: string) => {
      await writeFile(part, 'half')
      throw new Error('full')
    }
    await expect(writeWhole(path, write)).rejects.toThrow('full')
    expect(await readdir(folder)).toEqual([])
  })
})

it.skipIf(process.platform === 'win32')(
  'writes what is no file as it is (needs /dev/null: not on Windows)',
  async () => {
    expect((await partFile('/dev/null')).part).toBe('/dev/null')
  },
)
