import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfigFile } from '../../../src/cli/settings/config-file.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

describe('readConfigFile', () => {
  async function folderWith(content: string) {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'querent.json'), content)
    return folder
  }

  it('finds the file of the folder, and reads none where there is none', async () => {
    const folder = await folderWith('\ufeff{"k": 5}')
    expect(readConfigFile(undefined, folder)).toEqual({ path: 'querent.json', content: { k: 5 } })
    expect(readConfigFile(false, folder)).toBeUndefined()
    expect(readConfigFile(undefined, await temporaryFolder())).toBeUndefined()
  })

  it('reads the file that is named', async () => {
    const path = join(await folderWith('{"k": 6}'), 'querent.json')
    expect(readConfigFile(path, await folderWith('{"k": 5}'))).toEqual({ path, content: { k: 6 } })
  })

  it('says which file is missing, or no JSON', async () => {
    const read = (named: string | undefined, folder: string) => () => readConfigFile(named, folder)
    expect(read('/nowhere/querent.json', '')).toThrow('/nowhere/querent.json cannot be read')
    for (const content of ['', '{"k": 1']) {
      const folder = await folderWith(content)
      expect(read(undefined, folder)).toThrow(/^querent\.json is not JSON: .*add --no-config/)
      expect(read(join(folder, 'querent.json'), '')).toThrow(/Write one JSON object\.$/)
    }
  })
})
