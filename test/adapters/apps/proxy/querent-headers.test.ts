/** What a caller says in headers: read as far as it can be read, and else named. */
import { describe, expect, it } from 'vitest'
import { readQuerentHeaders, readSwitches } from '../../../../adapters/apps/proxy/querent-headers.ts'

const historyOf = (history: unknown) => ['X-Querent-History', encodeURIComponent(JSON.stringify(history))]
/** As Node gives bytes that are not ASCII. */
const asSent = (text: string): string => Buffer.from(text).toString('latin1')

it('reads a conversation as chat servers have it', () => {
  const history = ['user', 'assistant', 'agent'].map((role) => ({ role, text: 'Åse' }))
  expect(readQuerentHeaders(historyOf(history), false)).toMatchObject({
    history: ['user', 'agent', 'agent'].map((role) => ({ role, text: 'Åse' })),
    unreadable: [],
  })
})

it.each([
  ['percent-encoded', encodeURIComponent('café & 100% wool')],
  ['in UTF-8 as it is', asSent('café & 100%25 wool')],
])('reads words that are %s', (_, value) => {
  expect(readQuerentHeaders(['x-querent-query', value], false)).toMatchObject({ query: 'café & 100% wool' })
})

it.each([
  ['a % that encodes nothing', '100% wool'],
  ['bytes that are not UTF-8', 'caf\u00e9'],
  ['encoded bytes that are not UTF-8', 'caf%E9'],
])('names a query with %s, and reads the history beside it', (_, value) => {
  const history = [{ role: 'user', text: 'hello' }]
  const read = readQuerentHeaders(['x-querent-query', value, ...historyOf(history)], false)
  expect(read).toMatchObject({ history, unreadable: ['x-querent-query'] })
  expect(read).not.toHaveProperty('query')
})

it('names a history of no JSON, and reads the query beside it', () => {
  const read = readQuerentHeaders(['x-querent-query', 'Mary', 'x-querent-history', 'nonsense'], false)
  expect(read).toMatchObject({ query: 'Mary', unreadable: ['x-querent-history'], leftOut: [] })
  expect(read).not.toHaveProperty('history')
})

it('leaves out turns of nobody, and names them', () => {
  const history = [
    { role: 'system', text: '' },
    { role: 'user', content: 'hello' },
  ]
  expect(readQuerentHeaders(historyOf(history), false)).toMatchObject({
    history: [{ role: 'user', text: 'hello' }],
    unreadable: [],
    leftOut: [expect.stringContaining('history.0: ')],
  })
})

describe('what is on or off', () => {
  it.each(['false', 'False', 'FALSE', ' no ', 'off', '0'])('%j turns it off', (value) => {
    expect(readSwitches(['x-querent-optimize', value, 'x-querent-explain', value])).toEqual({
      optimizes: false,
      explain: undefined,
      ignored: [],
    })
  })

  it.each(['true', 'True', ' Yes ', 'ON', '1'])('%j turns it on', (value) => {
    expect(readSwitches(['x-querent-optimize', value, 'x-querent-explain', value])).toEqual({
      optimizes: true,
      explain: 'all',
      ignored: [],
    })
  })

  it('may be the header alone, in any case', () => {
    expect(readSwitches(['x-querent-explain', 'HEADER'])).toMatchObject({ explain: 'header', ignored: [] })
    expect(readQuerentHeaders(['x-querent-explain', 'HEADER'], false).explains).toBe(false)
    expect(readQuerentHeaders(['x-querent-explain', 'Yes'], false).explains).toBe(true)
  })

  it('is as without the header where the value is another, which is named', () => {
    const headers = ['X-Querent-Optimize', 'header', 'X-Querent-Explain', '']
    expect(readSwitches(headers)).toEqual({
      optimizes: true,
      explain: undefined,
      ignored: ['x-querent-explain', 'x-querent-optimize'],
    })
    expect(readSwitches([])).toEqual({ optimizes: true, explain: undefined, ignored: [] })
  })
})
