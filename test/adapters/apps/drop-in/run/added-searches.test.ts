/** What is shown on a page and not at hand is asked for in one request. */
import { describe, expect, it } from 'vitest'
import { identity } from '../../../../../adapters/apps/drop-in/answer/engine-answer.ts'
import type { JsonObject } from '../../../../../adapters/apps/drop-in/parse/json.ts'
import { parseSearch } from '../../../../../adapters/apps/drop-in/parse/parse-search.ts'
import { shownHits } from '../../../../../adapters/apps/drop-in/run/added-searches.ts'
import type { GivenHit } from '../../../../../adapters/apps/drop-in/run/slot-retriever.ts'
import { expectError } from '../../../../support/expect-error.ts'
import {
  answerOf,
  type Faults,
  fakeEngine,
  finding,
  found,
  searchFor,
} from '../../../../support/fake-engine.ts'

const lists = { bridge: found('a', 'b', 'c', 'd', 'e'), gate: found('x', 'y'), arch: found('z') }

/** A fused list: each hit by its id, the words that found it, and whether it is whole. */
type Listed = readonly (readonly [id: string, words: string, isWhole: boolean])[]

async function show(listed: Listed, more: JsonObject = {}, { isCut = false, faults = {} as Faults } = {}) {
  const call = searchFor('bridge', more)
  const understood = parseSearch(call, {}, { window: 100 })
  if ('reason' in understood) throw new Error(understood.reason)
  const engine = fakeEngine(call, finding(lists), faults)
  const list = listed.map(([id, words, isWhole]): GivenHit => {
    const { _source: _, ...bare } = found(id)[0]!
    return { hit: isWhole ? found(id)[0]! : bare, words, isWhole }
  })
  const { signal } = new AbortController()
  const shown = await shownHits(understood, list, isCut, engine, { signal, timeout: 1000 })
  return {
    batches: engine.batches,
    whole: list.map((hit) => shown.whole(hit)?._source),
    behind: shown.behind.map(({ _id }) => _id),
  }
}
const sourceOf = (id: string) => ({ title: `title of ${id}`, text: `text of ${id}` })

describe('hits of which lists brought the texts alone', () => {
  it('are asked for by the words that found them, those of one text together', async () => {
    const { batches, whole } = await show([
      ['a', 'bridge', true],
      ['x', 'gate', false],
      ['z', 'arch', false],
      ['y', 'gate', false],
    ])
    expect(whole).toEqual(['a', 'x', 'z', 'y'].map(sourceOf))
    expect(batches).toHaveLength(1)
    const asked = batches[0]!.map(({ body }) => [JSON.stringify(body.query), body.size] as const)
    expect(asked.map(([, size]) => size)).toEqual([2, 1])
    expect(asked[0]![0]).toContain('"match":{"text":"gate"}')
    expect(asked[0]![0]).toContain('"ids":{"values":["x","y"]}')
    expect(asked[1]![0]).toContain('"match":{"text":"arch"}')
  })

  it('are asked for on the page that shows them, and on no other', async () => {
    const listed: Listed = [
      ['a', 'bridge', true],
      ['x', 'gate', false],
    ]
    expect((await show(listed, { size: 1 })).batches).toEqual([])
    expect((await show(listed, { size: 1, from: 1 })).batches).toHaveLength(1)
  })

  it('are missing where the engine has them no longer', async () => {
    const { whole } = await show([['gone', 'gate', false]])
    expect(whole).toEqual([undefined])
  })
})

describe("the caller's own list", () => {
  const fused: Listed = [
    ['b', 'bridge', true],
    ['x', 'gate', true],
  ]

  it('goes on behind the fused one, without its hits', async () => {
    const { behind, batches } = await show(fused, { size: 4 }, { isCut: true })
    expect(behind).toEqual(['a', 'c'])
    expect(batches[0]![0]!.body).toMatchObject({ from: 0, size: 2 })
  })

  it('goes on at the place that the page begins with', async () =>
    expect((await show(fused, { size: 2, from: 4 }, { isCut: true })).behind).toEqual(['d', 'e']))

  it('is not asked for where it is known to the end, or depends on groups', async () => {
    expect((await show(fused, { size: 4 })).batches).toEqual([])
    const groups = { size: 4, collapse: { field: 'group' } }
    expect((await show(fused, groups, { isCut: true })).batches).toEqual([])
  })
})

describe('a page rejects', () => {
  it.each<readonly [string, JsonObject]>([
    ['status 500', { status: 500, error: { type: 'x', reason: 'so' } }],
    ['1 of 2 shards failed', { ...answerOf([]), _shards: { total: 2, failed: 1 } }],
    ['without hits', { took: 1 }],
  ])('where a search of it has %s: a hit less would be a hit lost', async (message, response) => {
    const showing = show([['x', 'gate', false]], {}, { faults: { msearch: () => [response] } })
    await expect(showing).rejects.toThrow(message)
  })

  it('where a response is missing', async () => {
    const showing = show([['x', 'gate', false]], {}, { faults: { msearch: () => undefined } })
    await expectError(showing, 'retriever-failed')
  })
})

it('a hit is known by its index and its id, as fusion knows it', async () => {
  const other = { ...found('x')[0]!, _index: 'other' }
  const faults = { msearch: () => [answerOf([other])] }
  expect((await show([['x', 'gate', false]], {}, { faults })).whole).toEqual([undefined])
  expect(identity(other)).not.toBe(identity(found('x')[0]!))
})
