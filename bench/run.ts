/**
 * Runs benchmarks one after the other, each in a process of its own, and prints their tables.
 *
 *     npm run bench -- [<name> …] [--quick] [--json <file>]
 *
 * A name is that of a file without `.bench.ts`; without names all run. The file gets all results and the machine's facts.
 */
import { readdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { rounded } from './numbers.ts'
import { print } from './print.ts'
import { answer, inProcess, isInProcess } from './process.ts'
import type { BenchResult, RunOptions } from './result.ts'

interface Measured {
  readonly name: string
  readonly seconds: number
  /** Processes that wanted a core, on average over a minute, before and after. Above the cores' number: read with care. */
  readonly load: readonly [number, number]
  readonly result?: BenchResult
  readonly error?: string
}

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.slice(0, -'.bench.ts'.length))
  .sort()

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'string' }, quick: { type: 'boolean', default: false } },
  })
  const unknown = positionals.find((name) => !names.includes(name))
  if (unknown !== undefined) {
    console.error(`No benchmark is called "${unknown}". There are ${names.join(', ')}.`)
    process.exitCode = 1
    return
  }

  const processors = cpus()
  const machine = {
    cpu: processors[0]?.model ?? 'unknown',
    cores: processors.length,
    memory_gb: rounded(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    node: process.versions.node,
  }
  console.log(
    `${machine.cores} cores, ${machine.cpu}, Node ${machine.node}, load ${loadavg()[0]!.toFixed(1)}`,
  )
  const measured: Measured[] = []
  for (const name of positionals.length > 0 ? positionals : names) {
    const one = await measure(name, values.quick)
    measured.push(one)
    if (one.result !== undefined) print(one.result)
    else console.error(`\n${name} failed: ${one.error}`)
  }
  if (values.json !== undefined) {
    const report = {
      measured_at: new Date().toISOString(),
      quick: values.quick,
      machine,
      benchmarks: measured,
    }
    writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`)
  }
  if (measured.some(({ error }) => error !== undefined)) process.exitCode = 1
}

async function measure(name: string, quick: boolean): Promise<Measured> {
  const [start, before] = [performance.now(), loadavg()[0]!]
  const outcome = await inProcess<BenchResult>(import.meta.filename, [name, String(quick)]).then(
    (result) => ({ result }),
    (error: unknown) => ({ error: String(error) }),
  )
  const seconds = Math.round((performance.now() - start) / 1000)
  return { name, seconds, load: [rounded(before), rounded(loadavg()[0]!)], ...outcome }
}

if (isInProcess(import.meta.filename)) {
  await answer(import.meta.filename, async (name, quick) => {
    const bench: { run(options: RunOptions): Promise<BenchResult> } = await import(`./${name}.bench.ts`)
    return bench.run({ quick: quick === 'true' })
  })
} else await main()
