/** What a search costs the engine, counted on the wire: one request, or two where something was decided. */
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { localPolicy } from '../../policies/local/local-policy.ts'
import { readBeir } from '../../src/evaluation/beir-folder.ts'
import type { Policy } from '../../src/policy.ts'
import type { Reranker } from '../../src/reranker.ts'
import { type RecordingServer, startRecordingServer } from '../support/recording-server.ts'
import { deciding, leaving } from '../support/scripted-policy.ts'
import { createWorld, type World } from '../support/search-world.ts'
import { sampleFolder } from '../support/small-policy.ts'
import { fusingWays } from './fusing-ways.ts'
import { noting } from './noting.ts'

const { queries } = await readBeir(sampleFolder)
const bodyOf = (query: string) => ({ query: { multi_match: { query, fields: ['title', 'text'] } } })

const texts = (count: number) => Array.from({ length: count }, (_, place) => `bridge number ${place}`)

interface Costing {
  readonly rerank?: Reranker
  readonly questions?: typeof queries
}

describe.each(['elasticsearch', 'opensearch'] as const)('a search on %s', (kind) => {
  let world: World
  let engine: RecordingServer
  beforeAll(async () => {
    world = await createWorld(kind, inject(kind))
    engine = await startRecordingServer(new URL(world.url))
  })
  afterAll(async () => {
    await engine?.close()
    await world?.close()
  })

  describe.each(fusingWays(kind))('by $name', (way) => {
    /** Requests of each search for a question of the sample, and the texts that it wanted beside its own. */
    async function costs(wanted: Policy, { rerank, questions = queries }: Costing = {}) {
      const { policy, others } = noting(wanted)
      const fusing = await way.open(engine.url, world.works, bodyOf, { policy, rerank })
      onTestFinished(() => fusing.close())
      const seen: { readonly requests: number; readonly others: number }[] = []
      let fields = 0
      for (const { text } of questions) {
        engine.clear()
        await fusing.search(text)
        const searches = engine.requests.filter(({ path }) => !path.includes('_field_caps'))
        fields += engine.requests.length - searches.length
        seen.push({ requests: searches.length, others: others() })
      }
      // What fields are is asked by the first search, and again a minute later.
      expect(fields).toBeLessThanOrEqual(2)
      return seen
    }

    it.each([false, true])(
      'costs one request, or two where the local policy decides (re-ranked: %s)',
      async (reranked) => {
        const { policy, rerank } = await localPolicy({ rerank: reranked })
        expect(rerank !== undefined).toBe(reranked)
        const seen = await costs(policy, { ...(rerank && { rerank }) })
        for (const { requests, others } of seen) expect(requests).toBe(others === 0 ? 1 : 2)
        const counts = [1, 2].map((count) => seen.filter(({ requests }) => requests === count).length)
        process.stdout.write(
          `${kind}, ${way.name}, re-ranked ${reranked}: one request ${counts[0]}, two requests ${counts[1]} of ${seen.length}\n`,
        )
        expect(counts[1]).toBeGreaterThan(0)
        if (!reranked) expect(counts[0]).toBeGreaterThan(0)
      },
    )

    it.each([
      ['one', leaving, 1],
      ['one, of a policy that wants the query itself,', deciding((words) => [words]), 1],
      ['two, of a policy that wants one other text,', deciding(texts(1)), 2],
      ['two, of a policy that wants three,', deciding(texts(3)), 2],
      ['two, of a policy that wants as many as there can be,', deciding(texts(15)), 2],
    ] as const)('costs %s whatever is asked', async (_, policy, requests) => {
      const seen = await costs(policy, { questions: queries.slice(0, 6) })
      expect(new Set(seen.map((one) => one.requests))).toEqual(new Set([requests]))
    })
  })
})
