import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfigFile } from '../../../src/cli/settings/config-file.ts'
import { expectError } from '../../support/expect-error.ts'
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
    expectError(read('/nowhere/querent.json', ''), 'missing-file', /\/nowhere\/querent\.json/)
    for (const content of ['', '{"k": 1']) {
      const folder = await folderWith(content)
      expectError(read(undefined, folder), 'bad-config', /^querent\.json.*--no-config/)
      expectError(read(join(folder, 'querent.json'), ''), 'bad-config', /^(?!.*--no-config)/s)
    }
  })
})
