/**
 * Simulated clicks on four collections: judgments that are made of them must say of two systems what the true judgments say. One
 * searches all words of a query, the other every second: each is shown to users in turn, so that the better one is once the newcomer.
 * The third only shuffles what was shown.
 */
import { describe, expect, it } from 'vitest'
import { readBeir } from '../../src/evaluation/beir-folder.ts'
import { scoreRun } from '../../src/evaluation/score.ts'
import { createRandom, permutation } from '../../src/learn/random.ts'
import { judgmentsOfClicks } from '../../src/training/data/clicks.ts'
import type { Qrels } from '../../src/types.ts'
import {
  collectionFolder,
  collectionIndex,
  collectionsMissing,
  needsCollections,
} from '../support/collections.ts'
import { simulatedClicks } from '../support/simulated-clicks.ts'

type Lists = ReadonlyMap<string, readonly string[]>

const most = 160
const curves = { '1/rank': (rank: number) => 1 / rank, '0.92 ^ rank': (rank: number) => 0.92 ** (rank - 1) }

function difference(before: Lists, after: Lists, qrels: Qrels, metric: string): number {
  const meanOf = (lists: Lists): number => {
    const hits = (list: readonly string[]) => list.map((docid, at) => ({ docid, score: -at, rank: at + 1 }))
    const run = new Map(Array.from(lists, ([qid, list]) => [qid, hits(list)]))
    return [...scoreRun(run, qrels, [metric]).means.values()][0]!
  }
  return meanOf(after) - meanOf(before)
}

describe.skipIf(collectionsMissing)(`studies of clicks ${needsCollections}`, () => {
  it.each(['esci-mini-train', 'feedbackqa-train', 'nq-train', 'scifact'])('%s', async (name) => {
    const collection = await readBeir(collectionFolder(name))
    const queries = collection.queries.filter(({ qid }) => collection.qrels.has(qid!)).slice(0, most)
    const qrels = new Map(queries.map(({ qid }) => [qid!, collection.qrels.get(qid!)!]))
    const index = await collectionIndex(name, { dense: false })
    const bm25 = index.retrievers.find((one) => one.name === 'bm25')!
    const searched = async (words: (text: string) => string): Promise<Lists> => {
      const texts = queries.map(({ text }) => ({ text: words(text), round: 0 }))
      const legs = await bm25.retrieve(texts, { k: 100 })
      return new Map(
        legs.map((leg, at) => [queries[at]!.qid!, 'hits' in leg ? leg.hits.map(({ docid }) => docid) : []]),
      )
    }
    const all = await searched((text) => text)
    const half = await searched((text) =>
      text
        .split(' ')
        .filter((_, at) => at % 2 === 0)
        .join(' '),
    )
    await index.close()
    const random = createRandom(1)
    const shuffled = new Map(
      Array.from(all, ([qid, list]) => {
        const first = list.slice(0, 10)
        return [
          qid,
          [...Array.from(permutation(first.length, random), (at) => first[at]!), ...list.slice(10)],
        ]
      }),
    )
    const pairs: readonly (readonly [string, Lists, Lists])[] = [
      ['better', half, all],
      ['worse', all, half],
      ['shuffled', all, shuffled],
    ]
    for (const [curve, looks] of Object.entries(curves))
      for (const [what, shown, other] of pairs) {
        const truth = difference(shown, other, qrels, 'ndcg@10')
        const best = (qid: string) => Math.max(...qrels.get(qid)!.values())
        const attracts = (qid: string, docid: string): number => {
          const grade = qrels.get(qid)!.get(docid) ?? 0
          return grade <= 0 ? 0.04 : grade === best(qid) ? 0.5 : 0.3
        }
        const log = simulatedClicks(shown, { seed: 1, searches: 20, looks, attracts })
        const { qrels: made, examination } = judgmentsOfClicks(log)
        const judged = difference(shown, other, made, 'ndcg@10-judged')
        expect(examination).toBeDefined()
        expect(Math.sign(judged), `${curve}: ${what}, ${judged} for ${truth}`).toBe(Math.sign(truth))
      }
  })
})
