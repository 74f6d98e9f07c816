import { describe, expect, it } from 'vitest'
import { fuseSettings } from '../../../src/cli/settings/fuse-settings.ts'
import { settingsOfFile, settingsOfFlags } from '../../../src/cli/settings/read-settings.ts'
import { searchGroups } from '../../../src/cli/settings/search-settings.ts'
import { trainSettings } from '../../../src/cli/settings/train-settings.ts'
import { expectError } from '../../support/expect-error.ts'

describe('settingsOfFlags', () => {
  it('reads text as what it stands for', () => {
    const typed = { k: '20', timeout: '5s', chatRetries: '0', withOriginal: true, index: ['x'] }
    expect(settingsOfFlags(searchGroups, typed)).toEqual({
      k: 20,
      timeout: 5000,
      chatRetries: 0,
      withOriginal: true,
      index: 'x',
    })
    expect(settingsOfFlags(fuseSettings.groups, { weights: '2,0.5' })).toEqual({ weights: [2, 0.5] })
  })

  it('takes a repeated --retrievers as one list, or as one for each collection', () => {
    const retrievers = ['bm25', 'bm25,dense']
    expect(settingsOfFlags(searchGroups, { retrievers })).toEqual({ retrievers: ['bm25', 'dense'] })
    expect(settingsOfFlags(trainSettings.groups, { retrievers })).toEqual({
      retrievers: [['bm25'], ['bm25', 'dense']],
    })
  })

  it.each([
    [{ k: '0' }, /^-k .*1/],
    [{ k: 'ten' }, /^-k /],
    [{ depth: '1.5' }, /^--depth /],
    [{ chatTimeout: 'soon' }, /^--chat-timeout /],
    [{ retrievers: ['bm25,'] }, /^--retrievers /],
    [{ index: [''] }, /^--index /],
    [{ maxSecondStage: '13' }, /^--max-second-stage .*12/],
    [{ chatUrl: 'foo' }, /^--chat-url /],
    [{ rerankUrl: 'http://me:secret@host/v1' }, /^--rerank-url (?!.*secret)/],
    [{ index: ['a', 'b'] }, /^--index .*2/],
    [{ k: 'ten', depth: '0' }, /-k .*--depth .*1/],
  ])('names the flag that is wrong: %j', (flags, message) => {
    expectError(() => settingsOfFlags(searchGroups, flags), 'bad-config', message)
  })

  it('tells the names of policies whose decision can be kept from those that cannot', () => {
    for (const decision of ['local', 'none', 'mine.json', './mine'])
      expect(settingsOfFlags(trainSettings.groups, { decision })).toEqual({ decision })
    expectError(() => settingsOfFlags(trainSettings.groups, { decision: 'foo' }), 'bad-config', /--decision/)
  })
})

describe('settingsOfFile', () => {
  const read = (content: unknown, others: readonly string[] = []) =>
    settingsOfFile(searchGroups, { path: 'querent.json', content }, async () => new Set(others))

  it('reads numbers, lists and the text of flags alike', async () => {
    const content = { k: 20, timeout: 5000, chatTimeout: '2s', index: 'x', retrievers: 'bm25,dense' }
    const values = { k: 20, timeout: 5000, chatTimeout: 2000, index: 'x', retrievers: ['bm25', 'dense'] }
    expect(await read(content)).toEqual(values)
    expect(await read({ ...content, retrievers: ['bm25', 'dense', 'bm25'] })).toEqual(values)
  })

  it.each([
    [[1], 'its content must be one JSON object'],
    [null, 'its content must be one JSON object'],
    [{ index: 1 }, 'index must be a path'],
    [{ timeout: true }, 'timeout must be a duration'],
    [{ retrievers: 5 }, 'retrievers must be names'],
    [{ k: 'many' }, 'k must be a number'],
  ])('says what is wrong with %j', async (content, message) => {
    await expectError(read(content), 'bad-config', `querent.json: ${message}`)
  })

  it('leaves out what only other commands know, unread', async () => {
    expect(await read({ k: 1, target: 5 }, ['target'])).toEqual({ k: 1 })
  })

  it('names a key that no command knows, and those of this one', async () => {
    await expectError(
      read({ retriever: 'bm25' }, ['target']),
      'bad-config',
      /querent\.json: retriever .*retrievers/s,
    )
  })
})
