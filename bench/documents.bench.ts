/** What it takes to fetch the documents that a search looks at from an index, the first time and again. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDocuments, writeDocuments } from '../src/index-folder/documents.ts'
import { createRandom, permutation } from '../src/learn/random.ts'
import { quantile } from '../src/learn/statistics.ts'
import { documents, wordsPerDocument, zipfianWords } from './generated.ts'
import { microseconds } from './numbers.ts'
import { printWhenMain } from './print.ts'
import type { BenchResult, RunOptions } from './result.ts'

const size = 50_000

export async function run({ quick = false }: RunOptions = {}): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'querent-bench-'))
  const random = createRandom(1)
  const words = zipfianWords(random)
  try {
    await writeDocuments(
      documents(size, () => words(wordsPerDocument)),
      folder,
    )
    const store = await openDocuments([folder])
    // Each document is drawn once, so that the first time is the first.
    const order = permutation(size, random).values()
    const rows = []
    for (const count of [10, 100, 300]) {
      const [first, again]: [number[], number[]] = [[], []]
      for (let search = 0; search < (quick ? 20 : 100); search++) {
        const docids = Array.from({ length: count }, () => `d${order.next().value}`)
        for (const times of [first, again]) {
          const start = performance.now()
          await store.get(docids)
          times.push(performance.now() - start)
        }
      }
      const [firstMs, againMs] = [first, again].map((times) => quantile(Float64Array.from(times).sort(), 0.5))
      rows.push({ documents: count, first_us: microseconds(firstMs!), again_us: microseconds(againMs!) })
    }
    await store.close()
    return {
      name: 'documents',
      rows,
      notes: [
        `Of ${size} generated documents of ${wordsPerDocument} words in an index folder, drawn at random; medians.`,
        'The file is in the cache of the operating system: what is measured is reading, parsing and remembering.',
      ],
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

await printWhenMain(import.meta.filename, run)
