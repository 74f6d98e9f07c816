/** What it takes to add documents to an index and to delete some, compared with building all of it again. */
import { cpus } from 'node:os'
import { join } from 'node:path'
import { buildIndex } from '../src/index-folder/build.ts'
import { openIndex } from '../src/index-folder/open.ts'
import { updateIndex } from '../src/index-folder/update.ts'
import { createRandom } from '../src/learn/random.ts'
import { documents, wordsPerDocument, zipfianWords } from './generated.ts'
import { inFolder } from './measuring.ts'
import { rounded } from './numbers.ts'
import { printWhenMain } from './print.ts'
import type { BenchResult, RunOptions } from './result.ts'

/** Each adds 900 documents, replaces 100, and deletes 100. */
const updates = 5
const changed = 1000

interface Measured {
  readonly ms: number
  /** Milliseconds of processor time, which other work on the machine changes less. */
  readonly cpu: number
}

export const run = ({ quick = false }: RunOptions = {}): Promise<BenchResult> =>
  inFolder((folder) => measureIn(folder, quick ? 10_000 : 100_000))

async function measureIn(folder: string, size: number): Promise<BenchResult> {
  const words = zipfianWords(createRandom(1))
  const given = (count: number) => Array.from(documents(count, () => words(wordsPerDocument)))
  const measured = async (work: () => Promise<unknown>): Promise<Measured> => {
    const [start, cpu] = [performance.now(), process.cpuUsage()]
    await work()
    const { user, system } = process.cpuUsage(cpu)
    return { ms: performance.now() - start, cpu: (user + system) / 1000 }
  }
  const out = join(folder, 'index')
  const all = given(size)
  const build = await measured(() => buildIndex(all, { out }))
  const open = async () => (await openIndex(out)).close()
  const openBuilt = await measured(open)
  const times: Measured[] = []
  for (let number = 0; number < updates; number++) {
    // The first 100 documents keep their docids, so they replace others.
    const add = given(changed).map((one, place) =>
      place < 100
        ? { ...one, docid: `d${number * 200 + place}` }
        : { ...one, docid: `new${number}-${place}` },
    )
    const remove = Array.from({ length: 100 }, (_, place) => `d${number * 200 + 100 + place}`)
    times.push(await measured(() => updateIndex({ out, add, remove })))
  }
  const openUpdated = await measured(open)
  const vacuum = await measured(() => updateIndex({ out, vacuum: true }))
  const row = (what: string, { ms, cpu }: Measured) => ({
    what,
    ms: Math.round(ms),
    of_a_build: `${rounded((100 * ms) / build.ms)} %`,
    cpu_ms: Math.round(cpu),
    cpu_of_a_build: `${rounded((100 * cpu) / build.cpu)} %`,
  })
  const sorted = times.toSorted((one, other) => one.cpu - other.cpu)
  return {
    name: 'update',
    rows: [
      row('build', build),
      row('update, median', sorted[Math.floor(updates / 2)]!),
      row('update, slowest', sorted.at(-1)!),
      row('open after the build', openBuilt),
      row('open after the updates', openUpdated),
      row('vacuum', vacuum),
    ],
    notes: [
      `BM25 index of ${size} generated documents of ${wordsPerDocument} words by Zipf's law, ${cpus().length} cores.`,
      `${updates} updates, each with ${changed} documents, of which 100 replace others, and 100 deletions.`,
      'Reading the corpus from JSON lines is not counted.',
    ],
  }
}

await printWhenMain(import.meta.filename, run)
