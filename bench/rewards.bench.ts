/** What a reward costs the trainer: ACQO's two stages, and Stage I as it would be if every set were fused. */
import { Bench } from 'tinybench'
import { rankScore } from '../fusion/rank-score.ts'
import { stageOneReward, stageTwoReward } from '../policies/acqo/rewards.ts'
import { createRandom } from '../src/learn/random.ts'
import { drawLists } from './fusion-lists.ts'
import { microseconds } from './numbers.ts'
import { printWhenMain } from './print.ts'
import type { BenchResult, RunOptions } from './result.ts'

const hits = 100

export async function run({ quick = false }: RunOptions = {}): Promise<BenchResult> {
  const bench = new Bench({ time: quick ? 200 : 2_000, warmupTime: 200, throws: true })
  for (const lists of [3, 8]) {
    for (const overlap of [0.1, 0.7]) {
      const searched = drawLists(createRandom(1), { lists, hits, overlap, docids: 'numbers' }).map((list) => [
        list,
      ])
      const golds = [searched[0]![0]!.hits[10]!.docid, searched.at(-1)![0]!.hits[40]!.docid]
      const name = `${lists} sub-queries, ${100 * overlap} % in common`
      const fusion = rankScore()
      bench.add(`Stage I: ${name}`, () => void stageOneReward(searched, golds))
      bench.add(`the same, every set fused: ${name}`, () => void stageOneReward(searched, golds, { fusion }))
      bench.add(`Stage II: ${name}`, () => void stageTwoReward(searched, golds))
    }
  }
  await bench.run()

  return {
    name: 'rewards',
    rows: bench.tasks.map(({ name, result }) => {
      if (result.state !== 'completed') throw new Error(`${name}: ${result.state}`)
      return {
        reward: name,
        p50_us: microseconds(result.latency.p50),
        p99_us: microseconds(result.latency.p99),
      }
    }),
    notes: [
      `Lists of ${hits} hits, made beforehand, and two relevant documents; 8 sub-queries are 255 sets, and Stage I of them is held to 1,000 µs.`,
    ],
  }
}

await printWhenMain(import.meta.filename, run)
