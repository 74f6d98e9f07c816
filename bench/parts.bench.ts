/** Where the optimizer's own time goes: each of its parts alone, and the whole with retrievers that cost nothing. */
import { Bench } from 'tinybench'
import { rankScore } from '../fusion/rank-score.ts'
import { acqo } from '../policies/acqo/acqo.ts'
import { rewritePrompt } from '../policies/acqo/prompt.ts'
import { none } from '../policies/none.ts'
import { fanOut } from '../src/fan-out.ts'
import { createOptimizer } from '../src/optimizer.ts'
import { runPrompt } from '../src/prompt.ts'
import { systemClock as clock } from '../src/runtime/clock.ts'
import { openDeadline } from '../src/runtime/deadline.ts'
import { createRecorder, toLegTrace } from '../src/trace.ts'
import { modelAtOnce, retrieverAtOnce, subQueriesOf } from './backends.ts'
import { microseconds } from './numbers.ts'
import { printWhenMain } from './print.ts'
import type { BenchResult, RunOptions } from './result.ts'

const depth = 100
const text = 'which of the two was built first'
const rewrites = ['when was the one built', 'when was the other built', 'which was built first']

export async function run({ quick = false }: RunOptions = {}): Promise<BenchResult> {
  const bench = new Bench({ time: quick ? 200 : 2_000, warmupTime: 200, throws: true })
  const retrievers = ['one', 'two'].map((name, seed) => retrieverAtOnce(name, { depth, seed }))
  const chat = modelAtOnce(() => rewrites)
  const { signal } = new AbortController()
  const fanOutOptions = { k: depth, timeout: 2000, signal, clock }
  const legs = await fanOut(retrievers, subQueriesOf(rewrites), fanOutOptions)
  const lists = legs.filter((leg) => leg.error === undefined)
  const ofOne = lists.filter(({ retriever }) => retriever === 'one')
  const fusion = rankScore()
  const hits = fusion.fuse(lists, { k: 10, provenance: true })
  const prompt = rewritePrompt({ maxSubQueries: 3, decompose: true, strict: false, template: undefined })

  bench.add('a deadline, opened and canceled', () =>
    openDeadline(clock, { parent: signal, ms: 2000, what: 'It' }).cancel(),
  )
  bench.add('prompt: rendered, answered at once, parsed', () => {
    const usage = { attempts: 0, tokens: { prompt: 0, completion: 0 } }
    return runPrompt(
      prompt,
      { question: text, history: [] },
      { model: chat, usage, signal, onText: undefined },
    )
  })
  bench.add('fan-out: 3 sub-queries, 2 retrievers', () =>
    fanOut(retrievers, subQueriesOf(rewrites), fanOutOptions),
  )
  bench.add('fusion: 3 lists, 10 hits with provenance', () => fusion.fuse(ofOne, { k: 10, provenance: true }))
  bench.add('fusion: 6 lists of 2 retrievers, the same', () =>
    fusion.fuse(lists, { k: 10, provenance: true }),
  )
  bench.add('trace: 6 lists written down', () => legs.map(toLegTrace))
  bench.add('trace: recorder opened and finished', () => {
    return createRecorder(clock, { text }, 'none', undefined).finish({ hits })
  })
  for (const policy of [none(), acqo()]) {
    for (const used of [retrievers.slice(0, 1), retrievers]) {
      const optimizer = createOptimizer({ retrievers: used, policy, chat, depth })
      bench.add(`whole search: ${policy.name}, ${used.length} retriever(s)`, () => optimizer.search(text))
    }
  }
  await bench.run()

  return {
    name: 'parts',
    rows: bench.tasks.map(({ name, result }) => {
      if (result.state !== 'completed') throw new Error(`${name}: ${result.state}`)
      return {
        part: name,
        p50_us: microseconds(result.latency.p50),
        p99_us: microseconds(result.latency.p99),
      }
    }),
    notes: [
      `Lists of ${depth} hits each, made beforehand; two lists share a quarter of theirs on average.`,
      "whole search: retrievers and a chat model that answer at once, so that all of it is the optimizer's own time.",
    ],
  }
}

await printWhenMain(import.meta.filename, run)
