/** One line a search, as pino writes it, and no text of a query in it unless that is asked for. */
import { describe, expect, it } from 'vitest'
import { type LogLevel, lineLogger, searchLogs } from '../../../adapters/telemetry/logs.ts'
import { none } from '../../../policies/none.ts'
import { QuerentError } from '../../../src/errors.ts'
import { reportSearch } from '../../../src/observe.ts'
import type { OptimizerOptions } from '../../../src/optimizer.ts'
import type { Retriever } from '../../../src/types.ts'
import { expectError } from '../../support/expect-error.ts'
import { scriptedChat, scriptedRetriever } from '../../support/scripted.ts'
import { found, leave, silentChat, splitting } from './left-search.ts'

function logged({
  level = 'debug' as LogLevel,
  text = false,
  ...options
}: Partial<OptimizerOptions> & { level?: LogLevel; text?: boolean } = {}) {
  const lines: string[] = []
  const logger = lineLogger((line) => void lines.push(line), { level, now: () => 1_700_000_000_000 })
  const observe = searchLogs({ logger, text })
  const { search } = splitting({ observe, ...options })
  return { lines, observe, search, parsed: () => lines.map((line) => JSON.parse(line)) }
}

describe('searchLogs', () => {
  it('writes one line for each search', async () => {
    const { search, lines, parsed } = logged()
    const { trace } = await search('secret words')
    expect(lines).toHaveLength(1)
    expect(parsed()[0]).toEqual({
      level: 30,
      time: 1_700_000_000_000,
      policy: 'acqo',
      decision: 'decompose',
      hits: trace.outcome.hits.length,
      partial: false,
      ms: Object.fromEntries(Object.entries(trace.times).map(([name, ms]) => [name, Number(ms.toFixed(3))])),
      tokens: trace.tokens,
      msg: 'search',
    })
    expect(lines[0]).not.toContain('\n')
  })

  it('has the texts only where they are asked for', async () => {
    const { search, parsed } = logged({ text: true })
    await search('secret words')
    expect(parsed()[0]).toMatchObject({
      query: 'secret words',
      subQueries: ['first part', 'second part'],
    })
    const down = new Error('secret words are down')
    const broken = scriptedRetriever({ name: 'broken', fails: down })
    for (const text of [false, true]) {
      const failed = logged({ text, retrievers: [broken] })
      await expect(failed.search('secret words')).rejects.toThrow('down')
      expect(failed.lines).toHaveLength(1)
      expect(failed.lines[0]!.includes('secret')).toBe(text)
      expect(failed.parsed()[0]).toMatchObject({ level: 50, msg: 'search failed', error: { type: 'Error' } })
    }
  })

  it('warns of what fell back and of what is partial', async () => {
    const fallen = logged({ chat: scriptedChat(['nonsense', 'nonsense']) })
    const { trace } = await fallen.search('secret words')
    expect(fallen.parsed()[0]).toMatchObject({
      level: 40,
      msg: 'search fell back',
      fallback: { code: trace.fallback!.code },
    })
    const retrievers = [
      scriptedRetriever({ name: 'bm25', found }),
      scriptedRetriever({ name: 'broken', fails: new Error('down') }),
    ]
    const partial = logged({ retrievers })
    await partial.search('secret words')
    expect(partial.parsed()[0]).toMatchObject({ level: 40, msg: 'search is partial', partial: true })
  })

  it.each([
    ['left', new QuerentError('aborted', 'The client has gone')],
    ['aborted it', undefined],
    ['had a reason of its own', new Error('typed on')],
    [
      'aborted it through the client of an engine',
      Object.assign(new Error(), { name: 'RequestAbortedError' }),
    ],
  ])('knows no failure in a search whose caller %s', async (_, reason) => {
    const { search, parsed } = logged({ chat: silentChat })
    await leave({ search }, reason)
    expect(parsed()).toMatchObject([{ level: 30, msg: 'search aborted' }])
  })

  it('knows a failure in a backend that gives up by itself', async () => {
    const timedOut: Retriever = {
      name: 'bm25',
      retrieve: () => Promise.reject(new DOMException('This operation was aborted', 'AbortError')),
    }
    const { search, parsed } = logged({ retrievers: [timedOut], policy: none() })
    await search('secret words').catch(() => {})
    expect(parsed()).toMatchObject([{ level: 50, msg: 'search failed' }])
  })

  it('says why a search passed through, at the level of debugging', () => {
    const reason = `its part ${'x'.repeat(1000)}`
    const all = logged()
    reportSearch(all.observe, { outcome: { kind: 'passed through', reason } })
    expect(all.parsed()[0]).toMatchObject({
      level: 20,
      msg: 'search passed through',
      reason: reason.slice(0, 200),
    })
    const fewer = logged({ level: 'info' })
    reportSearch(fewer.observe, { outcome: { kind: 'passed through', reason } })
    expect(fewer.lines).toEqual([])
  })

  it.each([
    [404, 30],
    [429, 40],
  ])(
    'knows no failure in a search that the engine refused with %d, and tells the status',
    (status, level) => {
      const { observe, parsed } = logged()
      reportSearch(observe, {
        outcome: { kind: 'passed through', reason: `the engine answered ${status}` },
        status,
      })
      expect(parsed()).toMatchObject([
        { level, msg: 'search passed through', reason: `the engine answered ${status}`, status },
      ])
    },
  )

  it('tells the code of an error, and the status of the engine, without their words', () => {
    const { observe, parsed, lines } = logged()
    reportSearch(observe, { error: new QuerentError('bad-list', 'No score for secret words'), status: 200 })
    reportSearch(observe, { error: Object.assign(new Error('secret words'), { code: 'ECONNREFUSED' }) })
    reportSearch(observe, {
      error: Object.assign(new Error(), { name: 'AnswerError', code: 7 }),
      status: 503,
    })
    expect(parsed()).toMatchObject([
      { level: 50, status: 200, error: { type: 'QuerentError', code: 'bad-list' } },
      { level: 50, error: { type: 'Error', code: 'ECONNREFUSED' } },
      { level: 50, status: 503, error: { type: 'AnswerError' } },
    ])
    expect(parsed()[2].error).not.toHaveProperty('code')
    expect(lines.join()).not.toContain('secret')
  })

  it('rejects what is no logger', () => {
    expectError(() => searchLogs({ logger: {} as never }), 'bad-config', 'a logger')
  })
})
