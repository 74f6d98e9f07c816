/** Whatever stands in a search's context, the search goes on with what can be read of it, and says what was left out. */
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readContext } from '../../../../adapters/apps/drop-in/parse/caller-context.ts'
import { createProxy } from '../../../../adapters/apps/proxy/proxy.ts'
import { officialClients } from '../../../engines/official-clients.ts'
import { startRecordingServer } from '../../../support/recording-server.ts'
import { decides, engine, headers, idsIn, query, serving } from './client-server.ts'

class Message {
  readonly role = 'assistant'
  readonly content = 'It is red.'
}

/** What is given, the conversation that is read of it, and the beginnings of what is said of the rest. */
const contexts: readonly (readonly [string, unknown, readonly string[], readonly string[]])[] = [
  ['nothing', undefined, [], []],
  ['null', null, [], []],
  ['no object', 'bridge', [], ['context.querent: ']],
  ['a list', [1], [], ['context.querent: ']],
  ['nulls', { history: null, query: null, explain: null, optimize: undefined }, [], []],
  [
    'wrong types',
    { history: 'hello', explain: 'yes', optimize: 0 },
    [],
    ['explain: ', 'history: ', 'optimize: '],
  ],
  ['unknown keys', { hsitory: [], ['k'.repeat(60_000)]: 1 }, [], ['hsitory: ', 'kkkk']],
  [
    'roles that are not read',
    { history: ['system', 'tool', 'developer', 'function', 'user'].map((role) => ({ role, content: role })) },
    ['user: user'],
    ['history.0: ', 'history.1: ', 'history.2: ', 'history.3: '],
  ],
  [
    'contents in parts',
    {
      history: [
        { role: 'user', content: ['What is', { type: 'text', text: 'this?' }, { type: 'image_url' }] },
        new Message(),
        { role: 'assistant', content: null, tool_calls: [] },
        null,
      ],
    },
    ['user: What is\nthis?', 'agent: It is red.'],
    ['history.2: ', 'history.3: '],
  ],
  [
    'the query itself, last',
    {
      history: [
        { role: 'assistant', text: 'Which?' },
        { role: 'user', content: ' bridge ' },
      ],
    },
    ['agent: Which?'],
    [],
  ],
]

const said = (turns: readonly { readonly role: string; readonly text: string }[] = []) =>
  turns.map(({ role, text }) => `${role}: ${text}`)

describe.each(officialClients)('a wrapped $name', (official) => {
  it.each(contexts)('goes on with %s', async (_, context, turns, leftOut) => {
    const { wrap, reports } = await serving(official)
    const { body } = await wrap({ ...decides, explain: true }).search('works', query, {
      context: { querent: context },
    })
    expect(idsIn(body)).toEqual(['a', 'c', 'b', 'd'])
    const [report] = reports
    expect(said(report?.trace?.query.history)).toEqual(turns)
    const named = [...(report?.leftOut ?? [])].sort()
    expect(named).toEqual(leftOut.map((start) => expect.stringContaining(start)))
    expect((body as { _querent: { leftOut?: unknown } })._querent.leftOut ?? []).toEqual(
      report?.leftOut ?? [],
    )
  })

  it.each([null, 'context', { querent: 'no' }])('goes on with %j in place of a context', async (context) => {
    const { wrap } = await serving(official)
    const { body } = await wrap(decides).search('works', query, { context })
    expect(idsIn(body)).toHaveLength(4)
    const lines = await wrap(decides).msearch([{ index: 'works' }, query], { context })
    expect((lines.body as { responses: unknown[] }).responses).toHaveLength(1)
  })
})

it('the proxy goes on with what it can read of a conversation in a header', async () => {
  const upstream = await startRecordingServer(engine)
  const proxy = await createProxy({ ...decides, target: upstream.url })
  onTestFinished(() => Promise.all([proxy.close(), upstream.close()]).then(() => {}))
  const history = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'What is this?' },
  ]
  const answer = await fetch(`${await proxy.listen(0)}/works/_search`, {
    method: 'POST',
    headers: {
      [headers[0]!]: headers[1]!,
      'x-querent-history': encodeURIComponent(JSON.stringify(history)),
      'x-querent-explain': 'true',
    },
    body: JSON.stringify(query),
  })
  expect(answer.headers.get('x-querent')).toBe('changed')
  expect(await answer.json()).toMatchObject({
    _querent: { leftOut: [expect.stringContaining('history.0: ')] },
  })
})

it('any value is read or left out', () =>
  fc.assert(
    fc.property(
      fc.oneof(fc.anything(), fc.record({ history: fc.anything(), query: fc.anything() })),
      (context) => {
        const { leftOut, history = [], ...read } = readContext(context)
        expect(leftOut.length).toBeLessThanOrEqual(20)
        for (const { role, text } of history) expect([typeof role, typeof text]).toEqual(['string', 'string'])
        expect(Object.keys(read).filter((key) => !['query', 'explain', 'optimize'].includes(key))).toEqual([])
      },
    ),
  ))
