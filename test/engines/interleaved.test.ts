/** Interleaved pages before real engines: no hit twice, none of the engine's lost, and all but the order of hits is the engine's. */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { JsonObject } from '../../adapters/apps/drop-in/parse/json.ts'
import { localPolicy } from '../../policies/local/local-policy.ts'
import { createRandom } from '../../src/learn/random.ts'
import type { SearchReport } from '../../src/observe.ts'
import { deciding, patient } from '../support/scripted-policy.ts'
import type { Answer } from './expected-answer.ts'
import { createGeneratedIndex, type GeneratedIndex, wordOf } from './generated-index.ts'
import { type Ask, waysTo } from './ways.ts'

const words = [
  'river',
  'harbour',
  'canal',
  'lantern',
  'meadow',
  'orchard',
  'quarry',
  'tunnel',
  'valley',
  'windmill',
]
const [pages, size, window] = [10, 10, 20]

describe.each(['elasticsearch', 'opensearch'] as const)('%s', (kind) => {
  let index: GeneratedIndex
  beforeAll(async () => {
    const random = createRandom(11)
    const begin = (): string =>
      `${words.flatMap((word) => Array(random.integer(4)).fill(word)).join(' ')} ${wordOf(random)}. `
    index = await createGeneratedIndex(inject(kind), { count: 300, length: 200, begin })
  })
  afterAll(() => index.delete())

  const bodies: readonly JsonObject[] = [{}, { highlight: { fields: { text: {} } } }]
  describe.each(waysTo(kind, inject(kind)).slice(-1))('$name', (way) => {
    // Forty searches of ten pages: ten queries, with what is computed for each hit and without, re-ranked and not.
    it.each(bodies.flatMap((more) => [false, true].map((reranked) => ({ more, reranked }))))(
      'ten searches of ten pages, $more, re-ranked $reranked',
      async ({ more, reranked }) => {
        const { rerank } = await localPolicy()
        const reports: SearchReport[] = []
        const optimizing = await way.optimizing({
          ...patient,
          policy: deciding((asked) =>
            [1, 2].map((step) => words[(words.indexOf(asked) + step) % words.length]!),
          ),
          rerank: reranked ? rerank : false,
          interleave: 1,
          observe: { onSearch: (report) => void reports.push(report) },
        })
        for (const word of words) {
          const aggs = { categories: { terms: { field: 'category' } } }
          const body = { query: { match: { text: word } }, aggs, ...more }
          const direct = await read(way.bare, body)
          const ours = await read(optimizing.ask, body)
          expect(ours.ids).toHaveLength(pages * size)
          expect(new Set(ours.ids).size).toBe(ours.ids.length)
          // Behind the window, the engine's own list goes on.
          const first = ours.ids.slice(0, window)
          const rest = direct.ids.filter((id) => !first.includes(id))
          expect(ours.ids.slice(window)).toEqual(rest.slice(0, pages * size - window))
          expect(ours.rest).toEqual(direct.rest)
          // What the engine finds only further down comes from a sub-query, with its words highlighted.
          for (const [id, hit] of ours.hits)
            if (direct.hits.has(id) && !(first.includes(id) && direct.ids.indexOf(id) >= window))
              expect({ ...hit, _score: 0 }).toEqual({ ...direct.hits.get(id), _score: 0 })
        }
        await optimizing.close()
        const drafted = reports.flatMap(({ interleaved }) => interleaved ?? [])
        expect(new Set(drafted.map(({ qid }) => qid)).size).toBe(words.length)
        for (const side of ['engine', 'querent'] as const)
          expect(drafted.flatMap((page) => page[side])).toHaveLength((words.length * window) / 2)
      },
    )
  })

  /** Ten pages: their hits by id, and what else the answers have. */
  async function read(ask: Ask, body: JsonObject) {
    const hits = new Map<string, JsonObject>()
    const ids: string[] = []
    const rest = new Set<string>()
    for (let page = 0; page < pages; page++) {
      const search = { index: index.name, parameters: {}, body: { ...body, from: page * size, size } }
      const { hits: found, aggregations, _shards, timed_out } = (await ask(search)) as Answer
      rest.add(JSON.stringify({ aggregations, _shards, timed_out, total: found.total }))
      for (const hit of found.hits) {
        ids.push(String(hit._id))
        hits.set(String(hit._id), hit)
      }
    }
    return { hits, ids, rest: [...rest] }
  }
})
