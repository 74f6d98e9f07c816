/** What fields are: asked of the engine once, kept for a while, and decided by their names where the engine does not say. */
import { describe, expect, it } from 'vitest'
import type { EngineAnswer } from '../../../../../adapters/apps/drop-in/answer/engine-answer.ts'
import { kindByName } from '../../../../../adapters/apps/drop-in/parse/field-kinds.ts'
import type { JsonObject } from '../../../../../adapters/apps/drop-in/parse/json.ts'
import type { FieldsRequest } from '../../../../../adapters/apps/drop-in/run/caller-engine.ts'
import { createFieldKinds } from '../../../../../adapters/apps/drop-in/run/field-kinds.ts'
import { answered } from '../../../../support/fake-engine.ts'
import { manualClock } from '../../../../support/manual-clock.ts'

const scope = { identity: 'ann', index: 'works', header: {} }

/** Says what fields are, by their types; `undefined` types are of an engine that does not. */
function engineOf(
  answer: (asked: FieldsRequest, signal: AbortSignal) => EngineAnswer | Promise<EngineAnswer>,
) {
  const asked: FieldsRequest[] = []
  return {
    asked,
    async fieldCaps(request: FieldsRequest, { signal }: { readonly signal: AbortSignal }) {
      asked.push(request)
      return answer(request, signal)
    },
  }
}
const saying = (types: Readonly<Record<string, readonly string[]>>) =>
  engineOf(() =>
    answered({
      fields: Object.fromEntries(
        Object.entries(types).map(([field, all]) => [
          field,
          Object.fromEntries(all.map((type) => [type, { type }])),
        ]),
      ),
    }),
  )
/** Two texts and two others, by their names. */
const byName = ['text', 'title', 'tenant', 'title.keyword']
const kindsOf = (options: JsonObject = {}) => createFieldKinds({ texts: {}, timeout: 1000, ...options })

/** The kind of a field that holds values. */
const values = { is: expect.any(String) }

describe('the kind of a field', () => {
  it.each<readonly [string, readonly string[], unknown]>([
    ['a text', ['text'], 'text'],
    ['a text of another family', ['annotated_text'], 'text'],
    ['a text here, and one of another type there', ['text', 'search_as_you_type'], 'text'],
    ['a keyword', ['keyword'], values],
    ['a number', ['long'], values],
    ['one value for all', ['constant_keyword'], values],
    ['a text here and a keyword there', ['text', 'keyword'], values],
    ['a text here and nowhere else', ['text', 'unmapped'], 'partly'],
    ['a keyword here and nowhere else', ['keyword', 'unmapped'], values],
    ['a type that nobody knows', ['shiny'], values],
  ])('is told by its types: %s', async (_, types, kind) => {
    const kindOf = await kindsOf().ask(scope, ['title'], saying({ title: types }))
    expect(kindOf('title')).toEqual(kind)
  })

  it.each([{ failed_indices: 1, fields: {} }, {}])(
    'is told by its name, and asked for again, where the engine knows no fields for a moment: %j',
    async (answer) => {
      const engine = engineOf(() => answered(answer))
      const kinds = kindsOf()
      for (const _ of [1, 2]) {
        const kindOf = await kinds.ask(scope, ['title', 'tenant'], engine)
        expect([kindOf('title'), kindOf('tenant')]).toEqual(['text', values])
      }
      expect(engine.asked).toHaveLength(2)
    },
  )

  it('is `none` where no index has it', async () => {
    const kindOf = await kindsOf().ask(
      scope,
      ['title', 'constructor'],
      engineOf(() => answered({ fields: {} })),
    )
    expect([kindOf('title'), kindOf('constructor')]).toEqual(['none', 'none'])
  })

  it('is that of the texts among them for a pattern, those of the engine left out', async () => {
    const kindOf = await kindsOf().ask(
      scope,
      ['*', 'ti*', 'a.*', 'x*'],
      saying({
        _id: ['text'],
        title: ['text'],
        tint: ['keyword'],
        'a.b': ['keyword'],
        'a.raw': ['text'],
        'x.y': ['text', 'unmapped'],
      }),
    )
    expect(['*', 'ti*', 'a.*', 'x*'].map(kindOf)).toEqual(['text', 'text', values, 'partly'])
  })

  it('is no text for another view of a field, which is not asked for', () => {
    const kindOf = kindsOf().known(scope)
    expect(['title.keyword', 'title.raw', 'a.b.Exact', 'title', 'raw'].map(kindOf)).toEqual([
      ...[values, values, values],
      ...[undefined, undefined],
    ])
  })
})

describe('the engine is asked', () => {
  it("on the caller's indices, as the caller names them", async () => {
    const engine = saying({})
    const header = { ignore_unavailable: true, expand_wildcards: 'open', routing: 'a' }
    const { ask } = kindsOf()
    await ask({ identity: '', index: 'a,-b*,c:<d-{now/d}>', header }, ['x', 'y*'], engine)
    await ask({ identity: '', index: undefined, header: {} }, ['x'], engine)
    const always = { include_unmapped: 'true', filter_path: 'fields,failed_indices' }
    expect(engine.asked).toEqual([
      {
        path: '/a%2C-b*%2Cc%3A%3Cd-%7Bnow%2Fd%7D%3E/_field_caps',
        url: { ...always, fields: 'x,y*', ignore_unavailable: true, expand_wildcards: 'open' },
      },
      { path: '/_field_caps', url: { ...always, fields: 'x' } },
    ])
  })

  it.each<readonly [string, () => EngineAnswer]>([
    ['is unavailable', () => answered({ error: 'no master' }, 503)],
    ['has lost its shards', () => answered({})],
    [
      'cannot be reached',
      () => {
        throw new Error('ECONNREFUSED')
      },
    ],
  ])('again after a minute, and keeps its last answer while it %s', async (_, failed) => {
    const clock = manualClock()
    await clock.advance(1)
    let isDown = false
    const caps = { tenant: { text: {} }, title: { keyword: {} } }
    const engine = engineOf(() => (isDown ? failed() : answered({ fields: caps })))
    const { ask, known } = kindsOf({ clock })
    await ask(scope, ['tenant', 'title'], engine)
    await clock.advance(61_000)
    isDown = true
    for (const _ of [1, 2]) {
      expect(known(scope)('tenant')).toBeUndefined()
      const kindOf = await ask(scope, ['tenant', 'title'], engine)
      // Their names would say the opposite.
      expect([kindOf('tenant'), kindOf('title')]).toEqual(['text', values])
    }
    expect(engine.asked).toHaveLength(3)
  })

  it('once for a minute, for each caller and index', async () => {
    const clock = manualClock()
    await clock.advance(1)
    const kinds = kindsOf({ clock })
    const engine = saying({ title: ['text'] })
    expect(kinds.known(scope)('title')).toBeUndefined()
    await kinds.ask(scope, ['title'], engine)
    expect(kinds.known(scope)('title')).toBe('text')
    for (const other of [{ identity: 'bob' }, { index: 'others' }, { header: { expand_wildcards: 'all' } }])
      expect(kinds.known({ ...scope, ...other })('title')).toBeUndefined()
    await clock.advance(59_999)
    expect(kinds.known(scope)('title')).toBe('text')
    await clock.advance(2)
    expect(kinds.known(scope)('title')).toBeUndefined()
  })

  it('once by searches that come together', async () => {
    const kinds = kindsOf()
    const engine = saying({ title: ['keyword'] })
    const all = await Promise.all([1, 2, 3].map(() => kinds.ask(scope, ['title'], engine)))
    expect(all.map((kindOf) => kindOf('title'))).toEqual([values, values, values])
    expect(engine.asked).toHaveLength(1)
  })

  it('as long as somebody waits for the answer', async () => {
    const kinds = kindsOf()
    const ended: unknown[] = []
    const engine = engineOf(
      (_, signal) =>
        new Promise(() => signal.addEventListener('abort', () => void ended.push(signal.reason))),
    )
    const [one, other] = [new AbortController(), new AbortController()]
    const asked = [one, other].map(({ signal }) => kinds.ask(scope, byName, engine, signal))
    one.abort()
    expect(ended).toHaveLength(0)
    other.abort()
    expect(ended).toHaveLength(1)
    for (const kindOf of await Promise.all(asked)) expect(kindOf('tenant')).toEqual(values)
    expect(engine.asked).toHaveLength(1)
    expect(kinds.known(scope)('tenant')).toBeUndefined()
  })

  it('for no more fields than are kept', async () => {
    const kinds = kindsOf({ entries: 2 })
    await kinds.ask(scope, ['a', 'b', 'c'], saying({}))
    expect(['a', 'b', 'c'].map(kinds.known(scope))).toEqual([undefined, 'none', 'none'])
  })
})

describe('names decide', () => {
  const kinds = ['text', 'text', values, values]

  it.each<readonly [string, (signal: AbortSignal) => EngineAnswer | Promise<EngineAnswer>, boolean]>([
    ['where the engine forbids to ask', () => answered({ error: {} }, 403), true],
    ['where it knows no such request', () => answered('no handler found', 400), true],
    ['where it answers something else', () => answered({ hits: { hits: [] } }), true],
    ['where it is too busy, until it is asked again', () => answered({ error: {} }, 429), false],
    ['where it fails, until it is asked again', () => answered({ error: {} }, 503), false],
    ['where it cannot be reached', () => Promise.reject(new Error('gone')), false],
  ])('%s', async (_, answer, isKept) => {
    const all = kindsOf()
    const kindOf = await all.ask(
      scope,
      byName,
      engineOf((_asked, signal) => answer(signal)),
    )
    expect(byName.map(kindOf)).toEqual(kinds)
    expect(all.known(scope)('tenant')).toEqual(isKept ? values : undefined)
  })

  it('where it takes too long, for a minute', async () => {
    const clock = manualClock()
    const asked = kindsOf({ clock }).ask(
      scope,
      byName,
      engineOf(() => new Promise(() => {})),
    )
    await clock.advance(1000)
    expect(byName.map(await asked)).toEqual(kinds)
  })

  it("and the application's own say which fields are texts", () => {
    const texts = { title: 'heading_en', text: ['lines'] }
    for (const field of ['heading_en', 'lines', 'text', 'body.english', 'title', 'content'])
      expect(kindByName(field, texts), field).toBe('text')
    for (const field of ['lines.raw', 'name', 'subject', 'tenant', '*', 'tex*', 'text.keyword', 'texts'])
      expect(kindByName(field, texts), field).toEqual(values)
  })
})
