/** What request 1 is sent as: the caller's own search where that brings all that is needed, else more than it. */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../../adapters/apps/drop-in/parse/json.ts'
import { parseSearch } from '../../../../../adapters/apps/drop-in/parse/parse-search.ts'
import type { FetchPlan } from '../../../../../adapters/apps/drop-in/plan/fetch-plan.ts'
import { firstRequest } from '../../../../../adapters/apps/drop-in/plan/first-request.ts'
import { hitTexts } from '../../../../../adapters/apps/drop-in/plan/hit-texts.ts'

const query = { match: { text: 'bridge' } }
const template = { query: { match: { text: '{{query}}' } } }
const whole: FetchPlan = { textOnly: false, pool: 100, shared: 100 }
const lean: FetchPlan = { textOnly: true, pool: 30, shared: 30 }
const texts = { title: 'title', text: ['text'] }

/** Request 1 of a body. `words` are those beside the body. */
function requestOf(
  body: JsonObject,
  { words, pooled = false, reach = whole }: { words?: string; pooled?: boolean; reach?: FetchPlan } = {},
  parameters: JsonObject = {},
) {
  const call = { index: 'works', parameters, body }
  const understood = parseSearch(call, { query: words }, { window: 100 })
  if ('reason' in understood) throw new Error(understood.reason)
  const read = hitTexts(understood.body, understood.fields, texts)
  return firstRequest(call, understood, words !== undefined, read, pooled, reach)
}

describe('without re-ranking, request 1', () => {
  it("is the caller's own where its hits bring their texts", () =>
    expect(requestOf({ query })).toEqual({ own: undefined, change: undefined, from: 0 }))

  it('has the words that stand beside the body', () => {
    const own = { body: { query }, url: {} }
    expect(requestOf(template, { words: 'bridge' })).toEqual({ own, change: own, from: 0 })
  })

  it('begins with the first hit on later pages', () =>
    expect(requestOf({ query, from: 20, size: 5 }).change).toEqual({
      body: { query, from: 0, size: 25 },
      url: {},
    }))

  it('asks for the texts that the caller leaves out', () =>
    expect(requestOf({ query, _source: false }).change?.body).toEqual({
      query,
      _source: false,
      from: 0,
      size: 10,
      fields: ['title', 'text'],
    }))

  it('leaves `filter_path` to us, and keeps the other parameters', () =>
    expect(requestOf({ query }, {}, { filter_path: 'took', routing: 'a' }).change?.url).not.toHaveProperty(
      'filter_path',
    ))
})

describe('for re-ranking, request 1', () => {
  it('asks for the whole list', () =>
    expect(requestOf({ query, from: 10 }, { pooled: true })).toEqual({
      own: undefined,
      from: 0,
      change: { body: { query, from: 0, size: 100 }, url: {} },
    }))

  it('is at least as long as the page', () => {
    const reach = { ...whole, pool: 30 }
    expect(requestOf({ query, from: 40 }, { pooled: true, reach }).change?.body).toMatchObject({ size: 50 })
  })
})

describe('where lists bring texts alone, request 1', () => {
  it("is the caller's own, and the list is asked for beside it", () =>
    expect(requestOf({ query, from: 10 }, { pooled: true, reach: lean })).toEqual({
      own: undefined,
      change: undefined,
      from: 10,
      pool: 30,
    }))

  it('is enough where the page holds the list', () => {
    const reach = { ...lean, pool: 10 }
    expect(requestOf({ query }, { reach })).not.toHaveProperty('pool')
    // Without their texts the hits of the page are no list to read.
    expect(requestOf({ query, _source: false }, { reach })).toMatchObject({ pool: 10 })
  })
})
