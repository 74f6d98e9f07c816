/** Searches of an application that find nothing, and those that ask for what is new. */
import { describe, expect, it } from 'vitest'
import { outcomeOf } from '../../../../adapters/apps/drop-in/answer/outcome.ts'
import type { JsonObject } from '../../../../adapters/apps/drop-in/parse/json.ts'
import type { AppOptions } from '../../../../adapters/apps/drop-in/run/settings.ts'
import { said } from '../../../../src/observe.ts'
import { answerOfRun, type Find, fakeEngine, found, idsOf, run } from '../../../support/fake-engine.ts'

const plain: AppOptions = { policy: 'none', rerank: false }
const strict = (text: string, more: JsonObject = {}) => ({
  index: 'works',
  parameters: {},
  body: {
    query: {
      bool: {
        must: { match: { text: { query: text, operator: 'and' } } },
        filter: [{ term: { brand: 'acme' } }, { term: { tenant: 7 } }],
      },
    },
    ...more,
  },
})
/** Finds nothing for all of the words, for a brand, and for a word that it does not have. */
const finding =
  (...ids: readonly string[]): Find =>
  ({ query }) => {
    const asked = JSON.stringify(query)
    return /"operator"|"brand"/.test(asked) || !asked.includes('"tenant"') ? [] : found(...ids)
  }
const relax = { droppable: ['brand'] }

describe('a search that found nothing', () => {
  it('is searched once more in one request, and its answer says what is shown', async () => {
    const call = strict('red shoos')
    const engine = fakeEngine(call, finding('a', 'b'))
    const result = await run(call, engine, { options: { ...plain, relax } })
    expect(idsOf(result)).toEqual(['a', 'b'])
    expect(engine.batches).toHaveLength(1)
    const shown = 'any of its words, also where they are spelled nearly alike, without the filter on brand'
    const reason = 'the filter on brand leaves nothing that it asks for'
    expect(answerOfRun(result)._querent).toEqual({
      nothingFound: { reason, shown },
    })
    // Outcomes are logged: no words of the query.
    expect(said(outcomeOf(result))).toBe(
      `changed: nothing was found, since ${reason}; shown is what has ${shown}`,
    )
  })

  it("keeps filters that nobody listed, and then stays the engine's own", async () => {
    const call = strict('red shoos')
    const engine = fakeEngine(call, finding('a'))
    const result = await run(call, engine, { options: { ...plain, relax: true } })
    expect([idsOf(result), answerOfRun(result)._querent]).toEqual([[], undefined])
    expect(said(outcomeOf(result))).toMatch(/^unchanged: nothing was found, since /)
    for (const { body } of engine.batches[0]!) expect(JSON.stringify(body)).toContain('{"brand":"acme"}')
  })

  it('has a second page', async () => {
    const ids = Array.from({ length: 15 }, (_, place) => `d${place}`)
    const call = strict('red shoos', { from: 10 })
    const result = await run(call, fakeEngine(call, finding(...ids)), { options: { ...plain, relax } })
    expect(idsOf(result)).toEqual(ids.slice(10))
  })

  it('is left alone if it found something', async () => {
    const call = strict('red shoos')
    const engine = fakeEngine(call, () => found('a'))
    const result = await run(call, engine, { options: { ...plain, relax } })
    expect([result.body, engine.batches, engine.searches]).toEqual([undefined, [], [undefined]])
  })
})

describe('recency', () => {
  const now = () => Date.UTC(2026, 0, 31)
  const recency = { field: 'made', halfLife: 10, now }
  const dates = ['2026-01-01', '2026-01-31']
  const list = found('old', 'new').map((hit, place) => ({ ...hit, fields: { made: [dates[place]] } }))
  const asking = (text: string) => ({ index: 'works', parameters: {}, body: { query: { match: { text } } } })

  it('puts new documents first where they are asked for, and removes what it asked for', async () => {
    const call = asking('latest shoes')
    const engine = fakeEngine(call, () => list)
    const result = await run(call, engine, { options: { ...plain, recency }, explains: true })
    expect(engine.searches[0]?.body.fields).toEqual(['made'])
    const { hits } = answerOfRun(result).hits as { hits: JsonObject[] }
    // 30 days are three half-lives: an eighth of 1 is less than a half.
    expect(hits.map(({ _id, _score, fields }) => [_id, _score, fields])).toEqual([
      ...[['new', 1 / 2, undefined]],
      ['old', 1 / 8, undefined],
    ])
    expect(hits[1]?._querent).toMatchObject({ recency: 1 / 8, fused: { rank: 1 } })
  })

  it("sends the caller's own search where they are not", async () => {
    const call = asking('shoes')
    const engine = fakeEngine(call, () => list)
    const result = await run(call, engine, { options: { ...plain, recency } })
    expect([result.body, engine.searches, engine.batches]).toEqual([undefined, [undefined], []])
  })
})
