import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  describeSetting,
  settingNames,
  settingsOfFile,
  settingsOfFlags,
} from '../../../src/cli/settings/settings.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

describe('settingsOfFlags', () => {
  it('reads text as what it stands for', () => {
    expect(
      settingsOfFlags({
        k: '20',
        timeout: '5s',
        chatRetries: '0',
        metrics: 'recall@5, ndcg@10',
        retrievers: ['bm25', 'bm25,dense'],
        weights: '2,0.5',
        withOriginal: true,
      }),
    ).toEqual({
      k: 20,
      timeout: 5000,
      chatRetries: 0,
      metrics: ['recall@5', 'ndcg@10'],
      retrievers: [['bm25'], ['bm25', 'dense']],
      weights: [2, 0.5],
      withOriginal: true,
    })
  })

  it.each([
    [{ k: '0' }, '-k must be 1 or more'],
    [{ k: 'ten' }, '-k must be a number'],
    [{ depth: '1.5' }, '--depth must be a whole number'],
    [{ chatTimeout: 'soon' }, '--chat-timeout must be a duration'],
    [{ retrievers: ['bm25,'] }, '--retrievers must be names'],
    [{ weights: '1,,2' }, '--weights must be numbers'],
    [{ index: '' }, '--index must not be empty'],
  ])('names the flag that is wrong: %j', (flags, message) => {
    expect(() => settingsOfFlags(flags)).toThrow(message)
  })
})

describe('settingsOfFile', () => {
  async function read(content: string) {
    const path = join(await temporaryFolder(), 'querent.json')
    await writeFile(path, content)
    return settingsOfFile(path)
  }

  it('reads numbers, lists and the text of flags alike', async () => {
    const content = {
      k: 20,
      timeout: 5000,
      chatTimeout: '2s',
      metrics: ['map'],
      retrievers: 'bm25,dense',
      weights: [1, 2],
    }
    expect(await read(JSON.stringify(content))).toEqual({
      k: 20,
      timeout: 5000,
      chatTimeout: 2000,
      metrics: ['map'],
      retrievers: [['bm25', 'dense']],
      weights: [1, 2],
    })
  })

  it('does not mind a byte order mark, nor a name that comes twice', async () => {
    expect(await read('\ufeff{"retrievers": "bm25,bm25"}')).toEqual({ retrievers: [['bm25']] })
  })

  it.each([
    ['[1]', 'its content must be one JSON object'],
    ['{"index": 1}', 'index must be a path'],
    ['{"timeout": true}', 'timeout must be a duration'],
    ['{"metrics": 5}', 'metrics must be names'],
  ])('says what %s should be', async (content, message) => {
    await expect(read(content)).rejects.toThrow(`querent.json: ${message}`)
  })

  it('names file and key of a wrong value', async () => {
    await expect(read('{"k": "many"}')).rejects.toMatchObject({
      code: 'bad-config',
      message: expect.stringMatching(/querent\.json: k must be a number/),
    })
  })

  it('names a key that does not exist, and those that do', async () => {
    await expect(read('{"retriever": "bm25"}')).rejects.toMatchObject({
      code: 'bad-config',
      message: expect.stringMatching(/querent\.json: retriever is not a setting.*retrievers/s),
    })
  })

  it.each(['', '[1]', '{"k": 1', 'null'])('refuses %j', async (content) => {
    await expect(read(content)).rejects.toMatchObject({ code: 'bad-config' })
  })

  it('says which file is missing', async () => {
    await expect(settingsOfFile('/nowhere/querent.json')).rejects.toMatchObject({ code: 'missing-file' })
  })
})

describe('describeSetting', () => {
  it('has a flag and a meaning for every setting, and no flag twice', () => {
    const described = settingNames.map(describeSetting)
    expect(new Set(described.map(({ flags }) => flags)).size).toBe(settingNames.length)
    for (const { description } of described) expect(description).not.toBe('')
    expect(describeSetting('maxSubQueries').flags).toBe('--max-sub-queries <count>')
    expect(describeSetting('k').flags).toBe('-k <count>')
  })
})
