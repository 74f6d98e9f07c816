/** Lists of a real engine, fused on their way to the caller: hit for hit what fusion in the process gives for the same lists. */
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { elasticsearch } from '../../adapters/search/elasticsearch.ts'
import { fusionByName } from '../../fusion/index.ts'
import { localPolicy } from '../../policies/local/local-policy.ts'
import type { RankedList } from '../../src/types.ts'
import { hashEmbedder } from '../support/hash-embedder.ts'
import { type RecordingServer, startRecordingServer } from '../support/recording-server.ts'
import { deciding } from '../support/scripted-policy.ts'
import { createWorld, type World } from '../support/search-world.ts'
import { untrainedFusions } from '../support/untrained-fusions.ts'
import { type BodyOf, depth, type FusingWay, fusingWays, optimizing } from './fusing-ways.ts'
import { noting } from './noting.ts'
import { wireAnswers } from './wire-answers.ts'

const questions = [
  'Which is older, the Forth Bridge or the Brooklyn Bridge?',
  'Was the author of Dracula born in the same city as the author of Ulysses?',
  'Which opera is catalogued as K. 620?',
]

const matching = (query: string) => ({ multi_match: { query, fields: ['title', 'text'] } })

const plain: BodyOf = (words) => ({ query: matching(words) })

/** Its hits have one of two scores. */
const tied: BodyOf = (words) => ({
  query: {
    function_score: {
      query: matching(words),
      functions: [{ filter: { term: { subject: 'bridges' } }, weight: 2 }, { weight: 1 }],
      score_mode: 'max',
      boost_mode: 'replace',
    },
  },
})

const scoredOf = (hits: readonly { readonly docid: string; readonly score: number }[]) =>
  hits.map(({ docid, score }) => ({ docid, score }))

const inProcess = (method: string, lists: readonly RankedList[]) =>
  scoredOf(fusionByName(method).fuse(lists, { k: depth }))

const scripted = deciding((words) => [
  `${words} engineer`,
  'bridges of New York',
  'author of a novel born in Dublin',
])
const { policy: local } = await localPolicy({ rerank: false })

describe.each(['elasticsearch', 'opensearch'] as const)('fused from %s', (kind) => {
  let world: World
  let engine: RecordingServer
  beforeAll(async () => {
    world = await createWorld(kind, inject(kind))
    engine = await startRecordingServer(new URL(world.url))
  })
  afterEach(() => engine.clear())
  afterAll(async () => {
    await engine?.close()
    await world?.close()
  })

  /** The lists that took part in the last search, as the engine itself has them. */
  async function listsOnTheWire(way: FusingWay, noted: readonly RankedList[]): Promise<RankedList[]> {
    const answers = await wireAnswers(world.url, engine.searches)
    return noted.map(({ retriever, subQuery }) => ({
      retriever,
      subQuery,
      hits: way.listOf(answers.get(subQuery.text)!).map((hit, place) => ({ ...hit, rank: place + 1 })),
    }))
  }

  if (kind === 'elasticsearch')
    it.each(untrainedFusions)('are lists of words and of vectors: %s', async (fusion) => {
      const { policy, lists } = noting(scripted)
      const embedder = hashEmbedder({ dimensions: 4 })
      const body = plain('{{query}}')
      const vector = { field: 'vector', embedder }
      const retriever = await elasticsearch({ url: engine.url, index: world.works, body, vector })
      const fusing = optimizing(retriever, { policy, fusion })
      for (const question of questions) {
        engine.clear()
        const hits = await fusing.search(question)
        expect(engine.searches).toHaveLength(2)
        expect(lists().map(({ retriever }) => retriever)).toEqual(
          Array.from({ length: 4 }, () => ['elasticsearch', 'elasticsearch-vector']).flat(),
        )
        expect(hits).toEqual(inProcess(fusion, lists()))
      }
      await fusing.close()
    })

  describe.each(fusingWays(kind))('by $name', (way) => {
    it('are lists with ties, of several indices, with documents that others have, too', async () => {
      const { policy, lists } = noting(scripted)
      const fusing = await way.open(engine.url, world.pattern, tied, { policy, fusion: 'comb-max' })
      const hits = await fusing.search(questions[0]!)
      await fusing.close()
      expect(lists()).toHaveLength(4)
      for (const list of lists()) expect(isTied(list.hits)).toBe(true)
      expect(isTied(hits)).toBe(true)
      const placesOf = ({ docid }: { readonly docid: string }) =>
        lists().filter((list) => list.hits.some((hit) => hit.docid === docid)).length
      expect(new Set(hits.map(placesOf)).size).toBeGreaterThan(2)
      for (const index of [world.works, world.copies, world.routed])
        expect(hits.filter(({ docid }) => docid.includes(index)).length).toBeGreaterThan(5)
    })

    describe.each([
      { name: 'three sub-queries', made: scripted, bodies: [plain, tied], asked: questions.slice(0, 2) },
      { name: 'the local policy', made: local, bodies: [plain], asked: questions },
    ])('with $name', ({ made, bodies, asked }) => {
      it.each(untrainedFusions)('%s', async (method) => {
        const { policy, lists } = noting(made)
        let most = 0
        for (const bodyOf of bodies) {
          const fusing = await way.open(engine.url, world.pattern, bodyOf, { policy, fusion: method })
          for (const question of asked) {
            engine.clear()
            const hits = await fusing.search(question)
            expect(engine.searches.length).toBeLessThanOrEqual(2)
            most = Math.max(most, lists().length)
            const onTheWire = await listsOnTheWire(way, lists())
            expect(lists().map(({ hits }) => scoredOf(hits))).toEqual(
              onTheWire.map(({ hits }) => scoredOf(hits)),
            )
            // An application's function scores are the last word, whatever the method.
            const isByScore = way.keepsAnswers && bodyOf === tied
            const fused = inProcess(isByScore ? 'comb-max' : method, onTheWire)
            const [only] = onTheWire
            const isLeftAlone = engine.searches.length === 1 && hasOrder(fused, scoredOf(only!.hits))
            const expected = way.keepsAnswers && isLeftAlone ? scoredOf(only!.hits) : fused
            expect(hits.slice(0, expected.length)).toEqual(expected)
            // What the engine has of the query as it is goes on behind them.
            for (const { score } of hits.slice(expected.length)) expect(score).toBe(0)
            if (!way.keepsAnswers) expect(hits).toHaveLength(expected.length)
          }
          await fusing.close()
        }
        expect(most).toBeGreaterThan(1)
      })
    })
  })
})

/** Whether two of the hits have one score. */
const isTied = (hits: readonly { readonly score: number }[]): boolean =>
  new Set(hits.map(({ score }) => score)).size < hits.length

const hasOrder = (
  fused: readonly { readonly docid: string }[],
  list: readonly { readonly docid: string }[],
): boolean => list.length === fused.length && list.every(({ docid }, place) => docid === fused[place]!.docid)
