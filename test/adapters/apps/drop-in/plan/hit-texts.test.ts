/** Texts that the policy reads and the caller did not ask for come beside what it asked for, and are taken out again. */
import { describe, expect, it } from 'vitest'
import type { TextFields } from '../../../../../adapters/apps/drop-in/parse/field-kinds.ts'
import { isObject, type JsonObject, listOf } from '../../../../../adapters/apps/drop-in/parse/json.ts'
import { hitTexts, noTexts } from '../../../../../adapters/apps/drop-in/plan/hit-texts.ts'
import type { Reranker } from '../../../../../src/reranker.ts'
import {
  answerOf,
  answerOfRun,
  fakeEngine,
  found,
  run,
  searchFor,
  wordsIn,
} from '../../../../support/fake-engine.ts'
import { deciding, leaving } from '../../../../support/scripted-policy.ts'

const texts = (body: JsonObject = {}, searched: readonly string[] = ['text'], chosen: TextFields = {}) =>
  hitTexts(body, searched, chosen)
const read = (hit: JsonObject, ...settings: Parameters<typeof texts>) => {
  const { docid: _, ...document } = texts(...settings).documentOf('id', hit) ?? { docid: '' }
  return document
}

describe('what is asked for beside', () => {
  const askedFor = (body: JsonObject, ...settings: [searched?: readonly string[], chosen?: TextFields]) =>
    texts(body, ...settings).ask(body)

  it.each<readonly [string, JsonObject]>([
    ['says nothing of `_source`', {}],
    ['wants all of it', { _source: true }],
    ['wants all of it, and fields', { fields: ['year'] }],
  ])('is nothing where the body %s', (_, body) => expect(askedFor(body)).toBe(body))

  it.each<readonly [string, JsonObject]>([
    ['no `_source`', { _source: false }],
    ['a part of `_source`', { _source: ['year'] }],
    ['`_source` without a part', { _source: { excludes: ['vector'] } }],
    ['stored fields, which leave `_source` out', { stored_fields: ['shelf'] }],
  ])('is titles and texts where the body wants %s', (_, body) => {
    const { fields, ...rest } = askedFor(body)
    expect(rest).toEqual(body)
    expect(fields).toEqual(expect.arrayContaining(['title', 'name', 'text', 'body', 'content']))
    expect(new Set(fields as string[]).size).toBe((fields as string[]).length)
  })

  it('has the fields that are searched, but for patterns', () => {
    const { fields } = askedFor({ _source: false }, ['headline.english', 'lead', 'part.*'])
    expect(fields).toEqual(expect.arrayContaining(['headline.english', 'lead']))
    expect(fields).not.toContain('part.*')
  })

  it('is what the application names, and no more', () =>
    expect(askedFor({ _source: false }, ['text'], { title: 'label', text: ['lead', 'rest'] }).fields).toEqual(
      ['label', 'lead', 'rest'],
    ))

  it('stands behind what the caller asks for', () =>
    expect(
      askedFor({ _source: false, fields: [{ field: 'year', format: 'yyyy' }] }, [], {
        title: 'a',
        text: ['b'],
      }).fields,
    ).toEqual([{ field: 'year', format: 'yyyy' }, 'a', 'b']))

  it.each<readonly [string, JsonObject]>([
    ['`fields`', { fields: ['a'] }],
    ['`fields`, with a format', { fields: [{ field: 'a', format: 'x' }] }],
    ['`fields`, by a pattern', { fields: ['?', 'a*'] }],
    ['`docvalue_fields`', { docvalue_fields: ['x', { field: 'a' }] }],
    ['`stored_fields`', { stored_fields: 'a' }],
    ['`script_fields`', { script_fields: { a: { script: {} } } }],
    ['`collapse`', { collapse: { field: 'a' } }],
  ])('is not asked for again where the caller does, by %s', (_, more) => {
    const { ask, restore } = texts({ _source: false, ...more }, [], { title: 'a', text: ['b'] })
    const { fields } = ask({ _source: false, ...more })
    expect(listOf(fields)).toContain('b')
    expect(listOf(fields).slice(listOf(more.fields ?? []).length)).not.toContain('a')
    expect(restore({ fields: { a: [1], b: [2] } })).toEqual({ fields: { a: [1] } })
  })
})

describe('of a hostile search', () => {
  const many = (name: string) => Array.from({ length: 15_000 }, (_, place) => `${name}${place}`)

  it('thousands of fields are asked for and taken out at once', { timeout: 10_000 }, () => {
    const body = { _source: false, fields: many('g') }
    const { ask, restore } = texts(body, [...many('f'), 'g1'])
    const { fields } = ask({ fields: [] })
    expect(fields).toEqual(expect.arrayContaining(['title', 'f1', 'f14999', 'text']))
    expect(fields).not.toContain('g1')
    const hit = Object.fromEntries(['year', ...many('f')].map((name) => [name, ['x']]))
    expect(restore({ fields: hit })).toEqual({ fields: { year: ['x'] } })
  })

  it('patterns that are longer than any name are read once', { timeout: 10_000 }, () => {
    const body = { _source: false, fields: ['*a'.repeat(50_000), `f1${'*'.repeat(50_000)}`] }
    const { fields } = texts(body, many('f')).ask({})
    expect(fields).toContain('f2')
    expect(fields).not.toContain('f1')
    expect(fields).not.toContain('f1234')
  })

  it('a field of thousands of levels has no text', { timeout: 10_000 }, () => {
    const deep = `year${'.a'.repeat(3000)}`
    const hit = { _source: { year: 1883, text: 'Of steel.' } }
    expect(read(hit, {}, [deep, 'text'])).toEqual({ text: 'Of steel.' })
    expect(texts({ _source: false }, [deep]).ask({}).fields).not.toContain(deep)
    expect(read({ _source: { year: 'Of rope.' } }, {}, [`year${'.a'.repeat(19)}`, 'text'])).toEqual({})
  })
})

describe('what was asked for beside is taken out again', () => {
  const { restore } = texts({ _source: false }, ['lead'])

  it('with what is empty then', () => {
    expect(restore({ _id: '1', fields: { lead: ['x'], title: ['y'] } })).toEqual({ _id: '1' })
    expect(restore({ _id: '1', fields: { lead: ['x'], year: [1] } })).toEqual({
      _id: '1',
      fields: { year: [1] },
    })
    expect(restore({ _id: '1' })).toEqual({ _id: '1' })
  })

  it('with values that the engine could not read', () =>
    expect(
      restore({ _id: '1', fields: { year: [1] }, ignored_field_values: { name: ['long'], other: ['x'] } }),
    ).toEqual({ _id: '1', fields: { year: [1] }, ignored_field_values: { other: ['x'] } }))

  it('and nothing is where nothing was asked for', () => {
    const hit = { fields: { title: ['mine'] } }
    expect(texts({}).restore(hit)).toBe(hit)
    expect(noTexts.restore(hit)).toBe(hit)
  })
})

describe('the texts of a hit', () => {
  it('are its title and what was searched, of `_source`', () =>
    expect(read({ _source: { title: 'Bridges', text: 'Of steel.', year: 1883 } })).toEqual({
      title: 'Bridges',
      text: 'Of steel.',
    }))

  it('are those of `fields`, where they stand there', () =>
    expect(
      read({ fields: { title: ['Bridges'], text: ['Of steel.', 'Of rope.'] } }, { _source: false }),
    ).toEqual({
      title: 'Bridges',
      text: 'Of steel. Of rope.',
    }))

  it('of a multi-field are those of its field', () =>
    expect(
      read({ _source: { title: 'Bridges', lead: 'Of steel.' } }, {}, ['title.english', 'lead.english']),
    ).toEqual({
      title: 'Bridges',
      text: 'Of steel.',
    }))

  it('may be nested, flat with points, in lists, or all of that', () => {
    const text = { text: 'Of steel.' }
    for (const source of [
      { a: { b: 'Of steel.' } },
      { 'a.b': 'Of steel.' },
      { a: [{ b: 'Of steel.' }, { c: 1 }] },
      { a: { b: ['Of', 'steel.'] } },
    ])
      expect(read({ _source: source }, {}, ['a.b'])).toEqual(text)
    expect(read({ _source: { 'a.b': { c: 'Of steel.' } } }, {}, ['a.b.c'])).toEqual(text)
  })

  it('do not repeat the title that was copied to what is searched', () =>
    expect(read({ _source: { title: 'Bridges', all: ['Bridges', 'Of steel.'] } }, {}, ['all'])).toEqual({
      title: 'Bridges',
      text: 'Of steel.',
    }))

  it('are those of common names, where what is searched is not kept', () =>
    expect(read({ _source: { headline: 'Bridges', body: 'Of steel.' } }, {}, ['all', 'meaning'])).toEqual({
      title: 'Bridges',
      text: 'Of steel.',
    }))

  it('are long texts, where no name tells', () => {
    const long = 'Of steel, and of rope, and of stone, and of wood.'
    expect(read({ _source: { n: 'x', z: long, code: 'A-1' } }, {}, [])).toEqual({ text: long })
  })

  it('are those that the application names, and no other', () => {
    const hit = { _source: { title: 'no', label: 'Bridges', lead: 'Of steel.', text: 'no' } }
    expect(read(hit, {}, ['text'], { title: 'label', text: ['lead'] })).toEqual({
      title: 'Bridges',
      text: 'Of steel.',
    })
    expect(read({ _source: { text: 'no' } }, {}, ['text'], { title: 'label', text: ['lead'] })).toEqual({})
  })

  it('are none where there are none', () => {
    for (const hit of [{}, { _source: {} }, { _source: { text: 5, title: null } }, { fields: { text: [1] } }])
      expect(texts().documentOf('id', hit)).toBeUndefined()
  })

  it('are taken for texts, and their names for names', () => {
    const hit = JSON.parse('{"_source":{"__proto__":{"text":"no"},"constructor":"yes"}}') as JsonObject
    expect(read(hit, {}, ['constructor'])).toEqual({ text: 'yes' })
    expect(read(hit, {}, ['toString', 'constructor.name', '__proto__.x'])).toEqual({ text: 'yes' })
  })
})

describe('texts that may leave the process, of a hit whose body', () => {
  const leaving = (body: JsonObject, searched: readonly string[] = ['text']) =>
    hitTexts(body, searched, {}, true)

  /** As an engine that heeds nothing would send it. */
  const hit = {
    _source: { title: 'Bridges', text: 'Of steel.', user: { bio: 'Hidden.', name: 'Ada' }, body: 'Long.' },
    fields: { all: ['Bridges', 'Hidden.'], 'title.english': ['Bridges'] },
  }

  it.each<readonly [string, JsonObject, readonly string[], object]>([
    ['excludes one', { _source: { excludes: ['text'] } }, ['text'], { title: 'Bridges', text: 'Long.' }],
    ['excludes by a pattern', { _source: { excludes: 't*' } }, ['title.english', 'body'], { text: 'Long.' }],
    [
      'excludes what they are in',
      { _source: { exclude: ['user'] } },
      ['user.bio'],
      { title: 'Bridges', text: 'Of steel. Long.' },
    ],
    [
      'excludes what is copied',
      { fields: ['all'], _source: { excludes: ['user.bio'] } },
      ['all'],
      { title: 'Bridges', text: 'Of steel. Long.' },
    ],
    ['excludes all', { _source: { excludes: ['*'] } }, ['text'], {}],
    ['lists others', { _source: ['bo*'] }, ['user.name'], { text: 'Ada' }],
    ['wants none', { _source: false }, ['title.english'], { title: 'Bridges', text: '' }],
    ['wants stored ones', { stored_fields: ['shelf'] }, ['body'], { text: 'Long.' }],
  ])('%s', (_, body, searched, expected) => {
    const { docid: _docid, ...document } = leaving(body, searched).documentOf('id', hit) ?? { docid: '' }
    expect(document).toEqual(expected)
  })

  it.each<readonly [string, JsonObject, readonly string[]]>([
    ['no `_source`', { _source: false }, ['text']],
    ['a part of `_source`', { _source: ['year'] }, ['text']],
    ['stored fields', { stored_fields: ['shelf'] }, ['text']],
    ['all but a part, where nothing else is read', { _source: { excludes: ['vector'] } }, []],
    ['all but vectors', { _source: { exclude_vectors: true } }, []],
  ])('wants %s are asked for as far as they are searched', (_, body, fields) =>
    expect(leaving(body).ask(body)).toEqual(fields.length > 0 ? { ...body, fields } : body),
  )

  it('searches by patterns are asked for by common names', () =>
    expect(leaving({ _source: false }, ['title.english', 'con*']).ask({}).fields).toEqual([
      ...['title', 'title.english', 'content', 'contents'],
    ]))

  it('excludes parts come from what is left of `_source`', () => {
    const body = { _source: { excludes: ['vector'] }, highlight: {} }
    expect(leaving(body).askAlone({ size: 5, ...body })).toEqual({ size: 5, _source: body._source })
  })
})

describe('a search that is re-ranked', () => {
  const seen: string[] = []
  /** Keeps the order, and notes what it reads. */
  const reading: Reranker = {
    needs: (_, lists) => lists.flatMap(({ hits }) => hits.map(({ docid }) => docid)),
    rerank(_, lists, fused, documentOf) {
      for (const { hits } of lists) for (const { docid } of hits) seen.push(documentOf(docid)?.text ?? 'none')
      return fused.map((hit) => ({ ...hit, fused: { rank: hit.rank, score: hit.score } }))
    },
    explain: () => [],
  }
  /** As an engine does: `_source` as it is wanted, and the fields that are asked for. */
  const lists: Readonly<Record<string, readonly string[]>> = { bridge: ['a', 'b'], 'golden gate': ['c'] }
  const find = (body: JsonObject): JsonObject[] =>
    found(...lists[wordsIn(body)]!).map(({ _source, ...hit }) => {
      const asked = listOf(body.fields ?? []).filter((name) => isObject(_source) && String(name) in _source)
      const fields = Object.fromEntries(asked.map((name) => [name, [(_source as JsonObject)[String(name)]]]))
      return {
        ...hit,
        ...(body._source === undefined && { _source }),
        ...(asked.length > 0 && { fields }),
      }
    })

  it.each([
    ['left alone', leaving],
    ['in other words', deciding(['golden gate'])],
  ])('%s has the texts, and the caller what it asked for', async (_, policy) => {
    seen.length = 0
    const call = searchFor('bridge', { _source: false, fields: ['title'] })
    const options = { policy, rerank: reading }
    const answer = answerOfRun(await run(call, fakeEngine(call, find), { options }))
    expect(new Set(seen)).toEqual(
      new Set(policy === leaving ? ['text of a', 'text of b'] : ['text of a', 'text of b', 'text of c']),
    )
    const { hits } = answer.hits as { readonly hits: readonly JsonObject[] }
    expect(hits.length).toBeGreaterThan(1)
    for (const hit of hits) {
      expect(hit).not.toHaveProperty('_source')
      expect(hit.fields).toEqual({ title: [`title of ${String(hit._id)}`] })
    }
  })

  it("and finds no texts has the engine's own page, as it was asked for", async () => {
    const bare = (...ids: readonly string[]) => found(...ids).map(({ _source, ...hit }) => hit)
    const call = searchFor('bridge', { _source: false, from: 1, size: 1 })
    const engine = fakeEngine(call, () => bare('a', 'b', 'c'))
    const result = await run(call, engine, { options: { policy: leaving, rerank: reading } })
    expect(answerOfRun(result)).toEqual(answerOf(bare('a', 'b', 'c'), { from: 1, size: 1 }))
  })

  it('groups are told apart by a field that has the name of a title', async () => {
    const call = searchFor('bridge', { _source: false, collapse: { field: 'name' } })
    const hits = found('a', 'b', 'c').map(({ _source, ...hit }) => ({
      ...hit,
      fields: { name: [`of ${hit._id}`] },
    }))
    const options = { policy: deciding(['golden gate']), rerank: reading }
    const answer = answerOfRun(
      await run(
        call,
        fakeEngine(call, () => hits),
        { options },
      ),
    )
    expect(
      (answer.hits as { readonly hits: readonly JsonObject[] }).hits.map(({ fields }) => fields),
    ).toEqual([{ name: ['of a'] }, { name: ['of b'] }, { name: ['of c'] }])
  })
})
