/**
 * Whether the local policy learns anything on the training collections: makes `bench/results/training-results.md`, and a page with
 * plots.
 *
 *     npx tsx bench/training-report.ts [--page training-results.html] [--dense] [--queries <n>] [--seeds 1,2,3,4,5]
 *
 * It makes its indexes where `npm run verify` keeps them; `--indexes <folder>` takes those of a folder as they are, one a
 * collection. `--dense` adds the retriever matrix, for which vectors are needed (on `--matrix-queries` of each collection).
 * `--collections` takes only these. `--left-out` names collections that are left out, each with the others of its corpus; by
 * default all are, one corpus after the other. `--queries` takes only so many of each collection, for a try. What is finished is kept in `--state`, so that a run that
 * was interrupted goes on where it stopped; remove that file to begin again.
 */
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { onnxEmbedder } from '../adapters/models/onnx.ts'
import { collectExamples, type TrainingCollection } from '../policies/local/training/example.ts'
import { filesOf, indexOf, namesByCorpus, trainingSources } from '../scripts/training-sources.ts'
import { readBeir } from '../src/evaluation/beir-folder.ts'
import { type OpenedIndex, openIndex } from '../src/index-folder/open.ts'
import { writeAtomically } from '../src/runtime/atomic-file.ts'
import { countTerms } from '../src/text/term-weights.ts'
import { conversationOf } from '../src/training/data/conversations.ts'
import type { Document, Query } from '../src/types.ts'
import { collectionFolder, collectionIndex } from '../test/support/collections.ts'
import { parseExperimentsCheckpoint } from './experiments/experiments-checkpoint.ts'
import type { RetrieverSet } from './experiments/retriever-matrix.ts'
import { experimentNames, runExperiments } from './experiments/run-experiments.ts'
import { trainingTables } from './training-report/tables.ts'
import { trainingReport } from './training-report/training-report.ts'

const { values } = parseArgs({
  options: {
    indexes: { type: 'string' },
    collections: { type: 'string', default: 'all' },
    queries: { type: 'string', default: 'all' },
    seeds: { type: 'string', default: '1,2,3,4,5' },
    which: { type: 'string', default: experimentNames.join(',') },
    'left-out': { type: 'string', default: 'all' },
    dense: { type: 'boolean', default: false },
    'matrix-queries': { type: 'string', default: '200' },
    state: { type: 'string', default: '.querent/training-report.json' },
    tables: { type: 'string', default: 'bench/results/training-results.md' },
    page: { type: 'string', default: 'training-results.html' },
  },
})

const sources = trainingSources.filter(
  ({ name }) => values.collections === 'all' || values.collections.split(',').includes(name),
)
const start = performance.now()
const interrupted = new AbortController()
process.once('SIGINT', () => interrupted.abort(new Error('interrupted')))
await main(interrupted.signal)

async function main(signal: AbortSignal): Promise<void> {
  const opened: {
    name: string
    index: OpenedIndex
    queries: readonly Query[]
    collection: TrainingCollection
  }[] = []
  const documents: Document[] = []
  const indexes = new Map<string, OpenedIndex>()
  for (const source of sources) {
    const { name, folder = name } = source
    const indexed = indexOf(source)
    const known = indexes.get(indexed)
    const index = known ?? (await open(indexed))
    indexes.set(indexed, index)
    const own = collectionFolder(folder)
    const { queries, qrels } = await readBeir(own, { signal, ...filesOf(own, source) })
    if (known === undefined) for await (const document of index.documents.all()) documents.push(document)
    const collection: TrainingCollection = {
      name,
      queries: spreadOut(queries, values.queries),
      qrels,
      retrievers: index.retrievers.filter((retriever) => retriever.name === 'bm25'),
      documents: (docids) => index.documents.get(docids),
      groupOf: conversationOf,
    }
    opened.push({ name, index, queries, collection })
  }
  const examples = await collectExamples(
    opened.map(({ collection }) => collection),
    { signal },
  )
  say(`${examples.length} queries of ${opened.length} collections`)

  const experiments = await runExperiments(examples, countTerms(documents), {
    seeds: values.seeds.split(',').map(Number),
    which: experimentNames.filter((name) => values.which.split(',').includes(name)),
    leftOut: leftOut(),
    retrieverSets: values.dense ? await retrieverSets() : [],
    ...(existsSync(values.state) && {
      resume: parseExperimentsCheckpoint(await readFile(values.state, 'utf8'), values.state),
    }),
    onCheckpoint: async (checkpoint) => {
      await writeAtomically(values.state, (part, flag) =>
        writeFile(part, JSON.stringify(checkpoint), { flag }),
      )
      say('kept')
    },
    onProgress({ what, done, total }) {
      const seconds = (performance.now() - start) / 1000
      const left = done > 0 ? `, about ${minutes((seconds * (total - done)) / done)} left` : ''
      say(`${what} (${done.toFixed(2)} of ${total}${left})`)
    },
    signal,
  })
  await writeFile(values.tables, trainingTables(experiments, { command: command() }))
  await writeFile(values.page, await trainingReport(experiments))
  say(`The tables are in ${values.tables}, the page in ${values.page}.`)
  for (const index of indexes.values()) await index.close()

  async function retrieverSets(): Promise<RetrieverSet[]> {
    const sets: RetrieverSet[] = []
    for (const name of ['bm25', 'dense']) {
      const searched = opened.map(({ queries, index, collection }) => ({
        ...collection,
        queries: spreadOut(queries, values['matrix-queries']),
        retrievers: index.retrievers.filter((retriever) => retriever.name === name),
      }))
      sets.push({ name, examples: await collectExamples(searched, { signal }) })
      say(`${name}: ${sets.at(-1)!.examples.length} queries for the retriever matrix`)
    }
    return sets
  }
}

function open(name: string): Promise<OpenedIndex> {
  if (values.indexes === undefined) return collectionIndex(name, { dense: values.dense })
  return openIndex(join(values.indexes, name), {
    retrievers: values.dense ? ['bm25', 'dense'] : ['bm25'],
    embedder: () => onnxEmbedder(),
  })
}

/** Collections of one corpus are left out together. */
function leftOut(): readonly (readonly string[])[] {
  const wanted = values['left-out'].split(',')
  return namesByCorpus(sources).filter(
    (names) => values['left-out'] === 'all' || names.some((name) => wanted.includes(name)),
  )
}

/** So many of them, from all over the file. */
function spreadOut(queries: readonly Query[], count: string): readonly Query[] {
  if (count === 'all' || Number(count) >= queries.length) return queries
  const step = queries.length / Number(count)
  return Array.from({ length: Number(count) }, (_, place) => queries[Math.floor(place * step)]!)
}

/** The one that makes the same tables. */
function command(): string {
  const usual = {
    collections: 'all',
    queries: 'all',
    seeds: '1,2,3,4,5',
    which: experimentNames.join(','),
    'left-out': 'all',
    'matrix-queries': '200',
  }
  const told = (Object.keys(usual) as (keyof typeof usual)[])
    .filter((name) => values[name] !== usual[name])
    .map((name) => `--${name} ${values[name]}`)
  return ['npx tsx bench/training-report.ts', ...told, ...(values.dense ? ['--dense'] : [])].join(' ')
}

function minutes(seconds: number): string {
  return `${Math.ceil(seconds / 60)} min`
}

function say(text: string): void {
  console.error(`${minutes((performance.now() - start) / 1000).padStart(7)}  ${text}`)
}
