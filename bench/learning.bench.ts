/** What the local policy's small networks cost: their products, a score, an explanation, and the two ways of training. One core. */
import { Bench } from 'tinybench'
import type { ChoiceProblem } from '../policies/local/training/choice-learner.ts'
import { trainChoice } from '../policies/local/training/policy-gradient.ts'
import { fitListwise, type RankProblem } from '../src/learn/listwise.ts'
import { multiplyRows } from '../src/learn/products.ts'
import { createRandom, type Random } from '../src/learn/random.ts'
import { explainScore, prepareScorer } from '../src/learn/scorer.ts'
import { multiplyInJavaScript } from './javascript-products.ts'
import { rounded } from './numbers.ts'
import { printWhenMain } from './print.ts'
import type { BenchResult, RunOptions } from './result.ts'

/** Of the re-ranker: inputs a document, units, documents a query, queries. */
const ranking = { inputs: 89, hidden: 32, rows: 60, problems: 4_500, epochs: 8 }
/** Of the decision: sets of one to three of eight candidates. */
const choosing = { inputs: 90, actions: 92, problems: 1_000, epochs: 12 }

type Row = {
  readonly what: string
  readonly ms: number
  /** Multiplications and additions of forward and backward pass, as if no unit were ever off. */
  readonly gflop_s: number
}

export async function run({ quick = false }: RunOptions = {}): Promise<BenchResult> {
  const random = createRandom(1)
  const share = quick ? 0.1 : 1
  return {
    name: 'learning',
    rows: [
      ...(await multiplying(random, quick ? 200 : 2_000)),
      ...(await scoring(random, quick ? 200 : 2_000)),
      await rankingRow(random, Math.round(share * ranking.problems)),
      await choosingRow(random, Math.round(share * choosing.problems)),
    ],
    notes: [
      'Features are noise. The listwise fit makes one pass forward and one back over every row and epoch; the policy gradient one forward to draw, two steps of one forward and one back, and one forward to take stock.',
      'gflop_s counts multiplications and additions as if no hidden unit were ever off; those that are off are left out on the way back.',
    ],
  }
}

/** The products of a network alone: in WebAssembly, and by loops of JavaScript. */
async function multiplying(random: Random, time: number): Promise<Row[]> {
  const { inputs, hidden, rows: count } = ranking
  const weights = Float64Array.from(drawFeatures(hidden * inputs, random))
  const rows = { table: drawFeatures(count * inputs, random), first: 0, count }
  const into = new Float64Array(hidden * count)
  const bench = new Bench({ time, warmupTime: 200, throws: true })
  bench.add('WebAssembly', () => void multiplyRows(weights, hidden, inputs, rows))
  bench.add('loops of JavaScript', () => multiplyInJavaScript(weights, hidden, inputs, rows, into))
  await bench.run()
  return bench.tasks.map(({ name, result }) => {
    if (result.state !== 'completed') throw new Error(`${name}: ${result.state}`)
    const what = `products of ${count} rows × ${inputs} inputs × ${hidden} units, ${name}`
    return toRow(what, result.latency.p50, 2 * count * inputs * hidden)
  })
}

async function scoring(random: Random, time: number): Promise<Row[]> {
  const { inputs, hidden } = ranking
  const small = [drawRanking(random)]
  const scorer = await fitListwise(small, { inputs: names(inputs), hidden, epochs: 1, seed: 1 })
  const score = prepareScorer(scorer)
  const rows = 100
  const features = drawFeatures(rows * inputs, random)
  const scores = new Float64Array(rows)
  const bench = new Bench({ time, warmupTime: 200, throws: true })
  bench.add(`scores of ${rows} rows`, () => void score(features, rows, scores))
  bench.add('one score taken apart', () => void explainScore(scorer, features, 3))
  await bench.run()
  return bench.tasks.map(({ name, result }, index) => {
    if (result.state !== 'completed') throw new Error(`${name}: ${result.state}`)
    const operations = 2 * (index === 0 ? rows : 1) * inputs * (1 + hidden)
    return toRow(`${name}: ${inputs} inputs, ${hidden} units`, result.latency.p50, operations)
  })
}

async function rankingRow(random: Random, problems: number): Promise<Row> {
  const { inputs, hidden, rows, epochs } = ranking
  const drawn = Array.from({ length: problems }, () => drawRanking(random))
  const start = performance.now()
  await fitListwise(drawn, { inputs: names(inputs), hidden, epochs, seed: 1 })
  const what = `listwise fit: ${problems} × ${rows} rows, ${inputs} inputs, ${hidden} units, ${epochs} epochs`
  return toRow(what, performance.now() - start, 4 * problems * rows * inputs * (1 + hidden) * epochs)
}

async function choosingRow(random: Random, problems: number): Promise<Row> {
  const { inputs, actions, epochs } = choosing
  const drawn = Array.from({ length: problems }, (_, index): ChoiceProblem => {
    const rewards = drawFeatures(actions, random)
    return {
      qid: String(index),
      actions,
      features: drawFeatures(actions * inputs, random),
      reward: (action) => rewards[action]!,
    }
  })
  const curriculum = { stageOneEpochs: 1, stageTwoEpochs: epochs - 1, filter: false, maxZeroVariance: 1 }
  const start = performance.now()
  await trainChoice(drawn, { inputs: names(inputs), seed: 1, curriculum })
  const what = `policy gradient: ${problems} × ${actions} actions, ${inputs} inputs, linear, ${epochs} epochs`
  return toRow(what, performance.now() - start, 2 * 6 * problems * actions * inputs * epochs)
}

function drawRanking(random: Random): RankProblem {
  const { inputs, rows } = ranking
  const targets = new Float32Array(rows)
  targets[random.integer(rows)] = 1
  targets[random.integer(rows)] = 1
  return { features: drawFeatures(rows * inputs, random), rows, targets }
}

const drawFeatures = (count: number, random: Random): Float32Array =>
  new Float32Array(count).map(() => 2 * random.float() - 1)

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `input ${index}`)

const toRow = (what: string, ms: number, operations: number): Row => ({
  what,
  ms: rounded(ms),
  gflop_s: rounded(operations / ms / 1e6),
})

await printWhenMain(import.meta.filename, run)
