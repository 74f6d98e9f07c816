/** The products of a small network alone, as re-ranking makes them: in WebAssembly, and by loops of JavaScript. One core. */
import { Bench } from 'tinybench'
import { multiplyRows } from '../src/learn/products.ts'
import { createRandom } from '../src/learn/random.ts'
import { multiplyInJavaScript } from './javascript-products.ts'
import { rounded } from './numbers.ts'
import { printWhenMain } from './print.ts'
import type { BenchResult, RunOptions } from './result.ts'

/** Of the re-ranker: inputs a document, units, documents a query. */
const [inputs, units, count] = [89, 32, 60]

export async function run({ quick = false }: RunOptions = {}): Promise<BenchResult> {
  const random = createRandom(1)
  const noise = (length: number): Float32Array => new Float32Array(length).map(() => 2 * random.float() - 1)
  const weights = Float64Array.from(noise(units * inputs))
  const rows = { table: noise(count * inputs), first: 0, count }
  const into = new Float64Array(units * count)
  const bench = new Bench({ time: quick ? 200 : 2_000, warmupTime: 200, throws: true })
  bench.add('WebAssembly', () => void multiplyRows(weights, units, inputs, rows))
  bench.add('loops of JavaScript', () => multiplyInJavaScript(weights, units, inputs, rows, into))
  await bench.run()
  return {
    name: 'learning',
    rows: bench.tasks.map(({ name, result }) => {
      if (result.state !== 'completed') throw new Error(`${name}: ${result.state}`)
      const ms = result.latency.p50
      return { products: name, ms: rounded(ms), gflop_s: rounded((2 * count * inputs * units) / ms / 1e6) }
    }),
    notes: [`Products of ${count} rows × ${inputs} inputs × ${units} units of noise.`],
  }
}

await printWhenMain(import.meta.filename, run)
