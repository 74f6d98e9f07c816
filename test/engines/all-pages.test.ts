/** A list that is read to its end, page by page: no hit stands on two pages, and none of the engine's own list is lost. */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { isObject, type JsonObject } from '../../adapters/apps/drop-in/parse/json.ts'
import { localPolicy } from '../../policies/local/local-policy.ts'
import { createRandom } from '../../src/learn/random.ts'
import { deciding, patient } from '../support/scripted-policy.ts'
import type { Answer } from './expected-answer.ts'
import { createGeneratedIndex, type GeneratedIndex, wordOf } from './generated-index.ts'
import { type Ask, waysTo } from './ways.ts'

/** Of so many documents, all but each fifth have the word of the query. */
const [documents, matching] = [500, 400]
const asked = 'river'
/** They find documents that the query does not, and some of its last ones. */
const subQueries = ['harbour', 'canal lantern', 'meadow']

describe.each(['elasticsearch', 'opensearch'] as const)('%s', (kind) => {
  let index: GeneratedIndex
  beforeAll(async () => {
    const random = createRandom(7)
    const begin = (place: number): string => {
      const river = place % 5 === 0 ? '' : 'river '.repeat(1 + random.integer(20))
      const others = [...subQueries, 'lantern'].filter(() => random.integer(6) === 0)
      return `${river}${others.join(' ')} ${wordOf(random)}. `
    }
    index = await createGeneratedIndex(inject(kind), { count: documents, length: 200, begin })
  })
  afterAll(() => index.delete())

  const bodies: readonly { readonly name: string; readonly more: JsonObject }[] = [
    { name: 'plain', more: {} },
    { name: 'with highlights', more: { highlight: { fields: { text: {} } } } },
  ]

  // One way is enough: pages are made by what all have in common.
  describe.each(waysTo(kind, inject(kind)).slice(-1))('$name', (way) => {
    it.each(
      bodies.flatMap((body) =>
        [7, 10].flatMap((size) => [false, true].map((reranked) => ({ ...body, size, reranked }))),
      ),
    )('400 hits, $name, by $size, re-ranked $reranked', async ({ more, size, reranked }) => {
      const { rerank } = await localPolicy()
      // Deep enough for what only sub-queries find to have a place after re-ranking.
      const options = {
        ...patient,
        policy: deciding(subQueries),
        window: 60,
        rerank: reranked ? rerank : false,
      }
      const optimizing = await way.optimizing(options)
      const search = { query: { match: { text: asked } }, ...more }
      const direct = await read(way.bare, search, size)
      const ours = await read(optimizing.ask, search, size)
      await optimizing.close()

      expect(direct.ids).toHaveLength(matching)
      expect(new Set(ours.ids).size).toBe(ours.ids.length)
      expect(direct.ids.filter((id) => !ours.ids.includes(id))).toEqual([])
      expect(ours.ids.length).toBeGreaterThan(matching)
      expect(ours.totals).toHaveLength(1)
      for (const hit of ours.hits) expect(Object.keys(hit)).toContain('_source')
      // A sub-query may find by words that stand in no text of the highlighted field.
      if (more.highlight !== undefined)
        expect(ours.hits.filter(({ highlight }) => isObject(highlight))).toHaveLength(ours.hits.length)
    })
  })

  /** All pages until one is empty. */
  async function read(ask: Ask, body: JsonObject, size: number) {
    const hits: JsonObject[] = []
    const totals = new Set<string>()
    for (let from = 0; ; from += size) {
      const answer = (await ask({
        index: index.name,
        parameters: {},
        body: { ...body, from, size },
      })) as Answer
      if (answer.hits.hits.length === 0) return { hits, ids: hits.map(({ _id }) => _id), totals: [...totals] }
      hits.push(...answer.hits.hits)
      totals.add(JSON.stringify(answer.hits.total))
    }
  }
})
