/** Searches that find nothing before real engines: misspelled, too strict, or with a filter too many. */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { JsonObject } from '../../adapters/apps/drop-in/parse/json.ts'
import type { Answer } from './expected-answer.ts'
import { createGeneratedIndex, type GeneratedIndex } from './generated-index.ts'
import { type Ask, waysTo } from './ways.ts'

describe.each(['elasticsearch', 'opensearch'] as const)('%s', (kind) => {
  let index: GeneratedIndex
  beforeAll(async () => {
    // The place of a document decides its words, its category (place % 8) and its year (1950 + place).
    const words = ['lantern harbour', 'lantern windmill', 'orchard quarry']
    const begin = (place: number): string => `${words[place % 3]} ${place % 24 === 0 ? 'meadow' : ''}. `
    index = await createGeneratedIndex(inject(kind), { count: 48, length: 60, begin })
  })
  afterAll(() => index.delete())

  const strict = (text: string, ...filter: readonly JsonObject[]): JsonObject => ({
    query: { bool: { must: { match: { text: { query: text, operator: 'and' } } }, filter } },
  })
  const old = { range: { year: { lt: 1974 } } }

  describe.each(waysTo(kind, inject(kind)))('$name', (way) => {
    const asked = async (ask: Ask, body: JsonObject) =>
      (await ask({ index: index.name, parameters: {}, body })) as Answer & { readonly _querent?: unknown }

    it.each([
      [
        'two misspelled words',
        strict('lantren harbuor', old),
        { missing: ['lantren', 'harbuor'], docid: /^(0|3|6|9|12|15|18|21)$/ },
      ],
      [
        'a word too many',
        strict('orchard quarry submarine', old),
        { missing: ['submarine'], docid: /^(2|5|8|11|14|17|20|23)$/ },
      ],
      [
        'a filter too many',
        strict('lantern meadow', old, { term: { category: 'b' } }),
        { missing: undefined, docid: /^0$/ },
      ],
    ])('%s: the best step is shown, within the filters that hold', async (_, body, { missing, docid }) => {
      const { ask, close } = await way.optimizing({
        policy: 'none',
        rerank: false,
        relax: { droppable: ['category'] },
      })
      expect((await asked(way.bare, body)).hits.hits).toEqual([])
      const { hits, _querent } = await asked(ask, body)
      await close()
      expect(String(hits.hits[0]?._id)).toMatch(docid)
      for (const { _id } of hits.hits) expect(Number(_id)).toBeLessThan(24)
      expect(_querent).toMatchObject({
        nothingFound: { shown: expect.any(String), ...(missing && { missing }) },
      })
    })

    it('leaves a search alone that found something, and one that it may not relax', async () => {
      const { ask, close } = await way.optimizing({ policy: 'none', rerank: false, relax: true })
      for (const body of [strict('lantern harbour', old), strict('lantern', { term: { category: 'z' } })]) {
        const [bare, ours] = [await asked(way.bare, body), await asked(ask, body)]
        expect(ours.hits).toEqual(bare.hits)
      }
      await close()
    })
  })
})
