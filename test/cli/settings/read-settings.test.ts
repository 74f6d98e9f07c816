import { describe, expect, it } from 'vitest'
import { ofCommands } from '../../../src/cli/settings/of-commands.ts'
import { settingsOfFile, settingsOfFlags } from '../../../src/cli/settings/read-settings.ts'
import { expectError } from '../../support/expect-error.ts'

const searchGroups = ofCommands.search.groups

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
    expect(settingsOfFlags(ofCommands.fuse.groups, { weights: '2,0.5' })).toEqual({ weights: [2, 0.5] })
  })

  it('takes a repeated --retrievers as one list, or as one for each collection', () => {
    const retrievers = ['bm25', 'bm25,dense']
    expect(settingsOfFlags(searchGroups, { retrievers })).toEqual({ retrievers: ['bm25', 'dense'] })
    expect(settingsOfFlags(ofCommands.train.groups, { retrievers })).toEqual({
      retrievers: [['bm25'], ['bm25', 'dense']],
    })
  })

  it.each([
    [{ k: '0' }, /^-k .*1/],
    [{ k: 'ten' }, /^-k /],
    [{ depth: '1.5' }, /^--depth /],
    [{ timeout: 'soon' }, /^--timeout /],
    [{ retrievers: ['bm25,'] }, /^--retrievers /],
    [{ index: [''] }, /^--index /],
    [{ chatUrl: 'foo' }, /^--chat-url /],
    [{ chatUrl: 'http://me:secret@host/v1' }, /^--chat-url (?!.*secret)/],
    [{ index: ['a', 'b'] }, /^--index .*2/],
    [{ k: 'ten', depth: '0' }, /-k .*--depth .*1/],
  ])('names the flag that is wrong: %j', (flags, message) => {
    expectError(() => settingsOfFlags(searchGroups, flags), 'bad-config', message)
  })

  it('tells the names of policies whose decision can be kept from those that cannot', () => {
    for (const decision of ['local', 'none', 'mine.json', './mine'])
      expect(settingsOfFlags(ofCommands.train.groups, { decision })).toEqual({ decision })
    expectError(
      () => settingsOfFlags(ofCommands.train.groups, { decision: 'foo' }),
      'bad-config',
      /--decision/,
    )
  })
})

describe('settingsOfFile', () => {
  const read = (content: unknown, others: readonly string[] = [], set: readonly string[] = []) =>
    settingsOfFile(searchGroups, { path: 'querent.json', content }, set, async () => new Set(others))

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

  describe('with --set', () => {
    const set = (content: unknown, ...typed: readonly string[]) => read(content, ['target'], typed)

    it('reads values as JSON where that can be meant, else as text', async () => {
      const typed = [
        'k=5',
        'answer=false',
        'chatModel=7',
        'model=true',
        'chatTimeout=5s',
        'budget={"asks": 6}',
      ]
      expect(await set({ k: 1 }, ...typed, 'prices=gpt-4.1=0.25/2')).toMatchObject({
        ...{ k: 5, answer: false, chatModel: '7', model: 'true', chatTimeout: 5000, budget: { asks: 6 } },
        prices: { 'gpt-4.1': { prompt: 0.25, completion: 2 } },
      })
    })

    it('sets one value of an object, beside those of the file', async () => {
      const budget = { asks: 3, ms: 500 }
      expect(await set({ budget }, 'budget.asks=6', 'budget.usd=0.5')).toEqual({
        budget: { asks: 6, ms: 500, usd: 0.5 },
      })
      const articles = { engine: 'elasticsearch', url: 'http://a:9200', index: 'articles' }
      const { engines } = await set({ retrievers: { articles } }, 'retrievers.articles.url=http://b:9200')
      expect(engines).toMatchObject({ articles: { ...articles, url: 'http://b:9200' } })
      expect(budget).toEqual({ asks: 3, ms: 500 })
    })

    it.each([
      ['price=1', /--set price .*nearest one is prices/s],
      ['target=x', /--set target is not a setting/],
      ['chattimeout=5s', /nearest one is chatTimeout/],
      ['chatTimeout', /chatTimeout has no value/],
      ['=5', /has no value/],
      ['chatTimeout=soon', /--set chatTimeout must be a duration/],
      ['budget.cents=5', /--set budget must be limits/],
      ['timeout.ms=5', /timeout is not an object/],
      ['__proto__.k=5', /__proto__ is not a setting/],
      ['retrievers.a.engine=solr', /--set retrievers: a\.engine/],
    ])('says what is wrong with %s', async (typed, message) => {
      await expect(set({ timeout: '5s' }, typed)).rejects.toMatchObject({ code: 'bad-config' })
      await expect(set({ timeout: '5s' }, typed)).rejects.toThrow(message)
    })
  })
})
