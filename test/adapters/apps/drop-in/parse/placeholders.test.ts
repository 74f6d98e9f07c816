/** The explicit slot: `{{query}}` stands for the user's words. */
import { describe, expect, it } from 'vitest'
import type { JsonObject, Path } from '../../../../../adapters/apps/drop-in/parse/json.ts'
import {
  fill,
  filled,
  fillPlain,
  findSlots,
} from '../../../../../adapters/apps/drop-in/parse/placeholders.ts'

const slot = '{{query}}'
const match = (text: unknown): JsonObject => ({ match: { title: text } })

describe('findSlots', () => {
  const find = (body: JsonObject) => findSlots(body, 'bridge')

  it('finds every text that is the slot and nothing else', () => {
    const body = {
      query: { bool: { must: [match(slot), match(`${slot}!`)], filter: [{ term: { tag: slot } }] } },
      suggest: { text: slot },
    }
    expect(find(body)).toEqual({
      text: 'bridge',
      slots: [
        ['query', 'bool', 'must', 0, 'match', 'title'],
        ['query', 'bool', 'filter', 0, 'term', 'tag'],
        ['suggest', 'text'],
      ],
      fields: [],
      unknown: [],
      vectors: [],
      ranking: {
        isFuzzy: false,
        factors: [{ path: ['query', 'bool', 'must', 1], way: 'adds' }],
      },
    })
  })

  it('says that several of the words must match, where all slots do', () => {
    const strict = { match: { title: { query: slot, operator: 'and' } } }
    expect(find({ query: strict })).toHaveProperty('fixed')
    expect(find({ query: { bool: { should: [strict, match(slot)] } } })).not.toHaveProperty('fixed')
  })

  it.each<readonly [string, JsonObject]>([
    ['it has no `{{query}}`', { query: match('bridge') }],
    ['the user may still be typing its last word', { query: { match_phrase_prefix: { title: slot } } }],
    [
      'the user may still be typing its last word',
      { query: { multi_match: { query: slot, type: 'bool_prefix' } } },
    ],
    ['words in its `query_string` would be syntax', { query: { query_string: { query: slot } } }],
    ['words in its `script` would be syntax', { script_fields: { a: { script: { source: slot } } } }],
    [
      'its words stand in more than 100 places',
      { query: { bool: { should: Array.from({ length: 101 }, () => match(slot)) } } },
    ],
  ])('refuses a body: %s', (reason, body) => expect(find(body)).toEqual({ reason }))

  it('does not look below what engines read', () => {
    const nested = (depth: number): JsonObject =>
      JSON.parse(`${'{"a":'.repeat(depth)}"${slot}"${'}'.repeat(depth)}`) as JsonObject
    expect(find(nested(1000))).toHaveProperty('slots')
    expect(find(nested(1001))).toEqual({ reason: 'it has no `{{query}}`' })
  })
})

describe('filled', () => {
  it('has the words in every slot, syntax or not', () =>
    expect(filled({ query: { query_string: { query: slot } }, size: 3 }, '+a')).toEqual({
      query: { query_string: { query: '+a' } },
      size: 3,
    }))

  it('is nothing without words, without a slot, and for what is no object', () => {
    expect(filled({ query: match(slot) }, undefined)).toBeUndefined()
    expect(filled({ query: match('a') }, 'bridge')).toBeUndefined()
    expect(filled([slot], 'bridge')).toBeUndefined()
  })
})

describe('fill and fillPlain', () => {
  const body = { query: { bool: { should: [match('bridge'), { query_string: { query: 'bridge' } }] } } }
  const slots: readonly Path[] = [
    ['query', 'bool', 'should', 0, 'match', 'title'],
    ['query', 'bool', 'should', 1, 'query_string', 'query'],
  ]
  const shouldOf = (filledBody: JsonObject) => (filledBody as typeof body).query.bool.should

  it('put other words in the slots, and change nothing else', () => {
    expect(fill(body, slots, 'tower')).toEqual({
      query: { bool: { should: [match('tower'), { query_string: { query: 'tower' } }] } },
    })
    expect(fill(fill(body, slots, 'tower'), slots, 'bridge')).toEqual(body)
  })

  it('differ where words would be syntax: those of a model have no operators', () => {
    const text = '+tower -"arch"'
    expect(shouldOf(fill(body, slots, text))).toEqual([match(text), { query_string: { query: text } }])
    expect(shouldOf(fillPlain(body, slots, text))).toEqual([
      match(text),
      { query_string: { query: 'tower arch' } },
    ])
  })
})
