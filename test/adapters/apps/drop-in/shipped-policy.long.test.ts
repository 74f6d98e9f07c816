/** The policy that comes with the package, as applications have it by default: it reads a wider request 1, and nobody notices. */
import { expect, it } from 'vitest'
import { isObject, type JsonObject, listOf } from '../../../../adapters/apps/drop-in/parse/json.ts'
import {
  answerOfRun,
  type FakeEngine,
  fakeEngine,
  idsOf,
  run,
  searchFor,
  wordsIn,
} from '../../../support/fake-engine.ts'
import { sampleDocuments } from '../../../support/small-policy.ts'

const documents = await sampleDocuments()

/** Documents by how many of the words they have, as an engine gives them: `_source` as it is wanted, and the fields asked for. */
function find(body: JsonObject): JsonObject[] {
  const words = wordsIn(body).toLowerCase().split(/\W+/)
  return documents
    .map(({ docid, title = '', text }) => {
      const own = new Set(`${title} ${text}`.toLowerCase().split(/\W+/))
      return {
        docid,
        source: { title, text } as JsonObject,
        score: words.filter((word) => own.has(word)).length,
      }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.docid < b.docid ? -1 : 1))
    .map(({ docid, source, score }) => {
      const asked = listOf(body.fields ?? []).filter((name) => String(name) in source)
      return {
        _index: 'works',
        _id: docid,
        _score: score,
        ...(body._source === undefined && { _source: source }),
        ...(asked.length > 0 && {
          fields: Object.fromEntries(asked.map((name) => [name, [source[String(name)]]])),
        }),
      }
    })
}

const question = 'Who was the engineer of the Brooklyn Bridge, and where was he born?'

async function ask(
  more: JsonObject,
): Promise<{ readonly engine: FakeEngine; readonly answer: JsonObject; readonly ids: string[] }> {
  const call = searchFor(question, more)
  const engine = fakeEngine(call, find)
  const result = await run(call, engine, { options: {} })
  return { engine, answer: answerOfRun(result), ids: idsOf(result) }
}
const hitsIn = ({ hits }: JsonObject): readonly JsonObject[] =>
  isObject(hits) ? (hits.hits as readonly JsonObject[]) : []

it('widens request 1, and sends one more at the most', async () => {
  const { engine, answer } = await ask({})
  expect(engine.searches).toEqual([
    { url: {}, body: { query: { match: { text: question } }, from: 0, size: 20 } },
  ])
  expect(engine.batches.length).toBeLessThanOrEqual(1)
  expect(hitsIn(answer)).toHaveLength(10)
})

it('has the same order whether the caller wants the texts or not, which it has only if it does', async () => {
  const whole = await ask({})
  const bare = await ask({ _source: false })
  expect(bare.ids).toEqual(whole.ids)
  expect(bare.engine.searches[0]?.body.fields).toEqual(expect.arrayContaining(['title', 'text']))
  for (const hit of hitsIn(bare.answer)) expect(Object.keys(hit).sort()).toEqual(['_id', '_index', '_score'])
  for (const hit of hitsIn(whole.answer)) expect(hit).toHaveProperty('_source.text')
})

it('gives pages of one list, with falling scores between 0 and 1', async () => {
  const pages = await Promise.all([0, 10, 20, 30].map((from) => ask({ from })))
  const ids = pages.flatMap((page) => page.ids)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.length).toBeGreaterThan(20)
  const scores = pages.flatMap(({ answer }) => hitsIn(answer).map(({ _score }) => _score as number))
  expect(scores).toEqual([...scores].sort((a, b) => b - a))
  for (const score of scores) expect(score).toBeGreaterThanOrEqual(0)
  for (const score of scores) expect(score).toBeLessThanOrEqual(1)
  const { ids: all } = await ask({ size: 20 })
  expect(all.slice(0, 10)).toEqual(pages[0]?.ids)
})
