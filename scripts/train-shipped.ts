/**
 * Trains the policies that the package ships, one for words, one for words of documents without titles, one for vectors and one
 * for both, on the training collections beside the checkout.
 *
 *     npm run train-shipped [-- bm25 bm25-untitled dense hybrid] [--check] [--at-once <n>]
 *
 * It does what can be typed: `querent index` for each collection, then `querent train` on all of them: a quarter of an hour for
 * words, and longer where every sub-query that is tried has to be embedded. Several policies are trained at once, each in a process
 * of its own: as many as there are cores, if each can have 6 GB. Indexes are kept where `npm run verify` keeps them.
 *
 * `--check` changes none of the files, and says whether the same bytes come out:
 * they do on one kind of processor. With vectors digits may differ between processors, and a little of what is learned from them:
 * where the bytes are others, both files search the test queries of SciFact and Cranfield, and all figures have to be within 0.3
 * points.
 */
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type ShippedName, shippedNames, shippedPath } from '../policies/local/shipped.ts'
import type { Terminal } from '../src/cli/output/terminal.ts'
import { runCli } from '../src/cli/run-cli.ts'
import { toError } from '../src/errors.ts'
import { writeCorpus } from '../src/evaluation/beir.ts'
import { findCorpus } from '../src/evaluation/beir-folder.ts'
import { readCorpus } from '../src/evaluation/corpus.ts'
import type { Document } from '../src/types.ts'
import { areNear, describeFigures, type Figures, figuresOf } from './compare-policies.ts'
import { cache } from './engines/cache.mjs'
import { run } from './steps.mjs'
import { indexOf, type Source, trainingSources } from './training-sources.ts'

const self = fileURLToPath(import.meta.url)
const data = fileURLToPath(new URL('../../shared/data/', import.meta.url))
/** Whose test queries say whether other bytes search as well. Nothing is trained on them. */
const judged = ['scifact', 'cranfield']

const retrievers: Readonly<Record<ShippedName, string>> = {
  bm25: 'bm25',
  'bm25-untitled': 'bm25',
  dense: 'dense',
  hybrid: 'bm25,dense',
}

// As `querent` does: FAISS's threads would spin after a search, and keep the cores from the embedding model.
process.env.OMP_WAIT_POLICY ??= 'passive'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean', default: false },
    'at-once': { type: 'string', default: String(processesHere()) },
  },
})
const interrupt = new AbortController()
process.once('SIGINT', () => interrupt.abort())
const { stdin, stdout, stderr, env } = process
const terminal: Terminal = { stdin, stdout, stderr, env, signal: interrupt.signal }
process.exitCode = await main().catch((thrown: unknown) => fail(toError(thrown).message))

async function main(): Promise<number> {
  const names = shippedNames.filter((name) => positionals.length === 0 || positionals.includes(name))
  const unknown = positionals.find((name) => !(shippedNames as readonly string[]).includes(name))
  if (unknown !== undefined)
    return fail(`No policy "${unknown}" is shipped. There are ${shippedNames.join(', ')}.`)
  const atOnce = Number(values['at-once'])
  if (!Number.isInteger(atOnce) || atOnce < 1)
    return fail(`--at-once is "${values['at-once']}". Give a whole number, 1 or more.`)
  const trained = trainingSources.map(({ name, folder = name }) => folder)
  const needed = [...new Set([...trained, ...(values.check ? judged : [])])]
  const absent = needed.filter((name) => !existsSync(join(data, name)))
  if (absent.length > 0)
    return fail(
      `The collections ${absent.join(', ')} are not in ${data}: without them nothing can be trained or checked.`,
    )
  // First, since policies share them.
  const indexed = new Set([...trainingSources.map(indexOf), ...(values.check ? judged : [])])
  for (const name of names)
    for (const collection of indexed) {
      const status = await makeIndex(collection, name)
      if (status !== 0) return status
    }
  return names.length === 1 ? train(names[0]!) : trainAtOnce(names, atOnce)
}

/**
 * Each policy in a process of its own, since a training uses one core. FAISS's threads get a share of the cores: more of them
 * than cores wait for one another, and take up to ten times as long.
 */
async function trainAtOnce(names: readonly ShippedName[], atOnce: number): Promise<number> {
  const waiting = [...names]
  process.env.OMP_NUM_THREADS ??= String(Math.max(1, Math.floor(availableParallelism() / atOnce)))
  const statuses = await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (waiting.length > 0 && !interrupt.signal.aborted) {
        const name = waiting.shift()!
        const command = [
          process.execPath,
          '--import',
          'tsx',
          self,
          name,
          ...(values.check ? ['--check'] : []),
        ]
        const status = await run(command, { prefix: `${name}: ` })
        if (status !== 0) return status
      }
      return interrupt.signal.aborted ? 1 : 0
    }),
  )
  return Math.max(...statuses)
}

/** As many as there are cores, if each can have 6 GB. */
function processesHere(): number {
  return Math.max(1, Math.min(availableParallelism(), Math.floor(freemem() / 6e9)))
}

async function train(name: ShippedName): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'querent-shipped-'))
  try {
    const folders: string[] = []
    const indexes: string[] = []
    for (const source of trainingSources) {
      folders.push(await folderOf(source, folder))
      indexes.push('--index', indexFolder(indexOf(source), name))
    }
    const out = values.check ? join(folder, `${name}.json`) : shippedPath(name)
    const status = await querent(
      'train',
      ...folders,
      ...indexes,
      '--retrievers',
      retrievers[name],
      '--out',
      out,
    )
    return status !== 0 || !values.check ? status : await check(name, out)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The folder with the queries. Those of a variant are copied into a folder of their own. */
async function folderOf({ name, folder = name, queries, qrels }: Source, into: string): Promise<string> {
  const own = join(data, folder)
  if (queries === undefined || qrels === undefined) return own
  const copies = join(into, name)
  await mkdir(copies)
  await copyFile(join(own, queries), join(copies, 'queries.jsonl'))
  await copyFile(join(own, qrels), join(copies, 'qrels.tsv'))
  return copies
}

/** Whether what was trained is what is shipped: in its bytes, or else in how well it searches. */
async function check(name: ShippedName, trained: string): Promise<number> {
  const shipped = shippedPath(name)
  const [one, other] = await Promise.all([shipped, trained].map((path) => readFile(path, 'utf8')))
  if (one === other) {
    console.error(`${name}: the same bytes`)
    return 0
  }
  console.error(`${name}: OTHER BYTES than those that are shipped. How well both search:`)
  const figures: Figures[] = []
  for (const collection of judged) {
    const searched = {
      name: collection,
      folder: join(data, collection),
      index: indexFolder(collection, name),
      retrievers: retrievers[name],
    }
    figures.push(...(await figuresOf(searched, { shipped, trained }, terminal)))
  }
  for (const one of figures) console.error(`${name}: ${describeFigures(one)}`)
  return areNear(figures) ? 0 : 1
}

/** Where there is none yet. */
async function makeIndex(collection: string, name: ShippedName): Promise<number> {
  const index = indexFolder(collection, name)
  if (existsSync(join(index, 'index.json'))) return 0
  if (name === 'bm25-untitled') return makeUntitledIndex(collection, index)
  const dense = name === 'bm25' ? [] : ['--dense']
  return querent('index', join(data, collection), '--out', index, ...dense)
}

/** Of the same documents, whose titles are thrown away. */
async function makeUntitledIndex(collection: string, index: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'querent-untitled-'))
  try {
    const corpus = join(folder, 'corpus.jsonl')
    await writeCorpus(corpus, untitled(readCorpus(await findCorpus(join(data, collection)))))
    return await querent('index', corpus, '--out', index)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A document that has nothing but a title keeps it as its text. */
async function* untitled(documents: AsyncIterable<Document>): AsyncGenerator<Document> {
  for await (const { title = '', ...document } of documents)
    yield { ...document, text: document.text === '' ? title : document.text }
}

/** An index with vectors has the words, too. */
function indexFolder(collection: string, name: ShippedName): string {
  const folder = (of: string): string => join(cache, 'verify', of)
  if (name === 'bm25-untitled') return folder(`${collection}-untitled`)
  const [words, vectors] = [folder(collection), folder(`${collection}-dense`)]
  return name === 'bm25' && !existsSync(join(vectors, 'index.json')) ? words : vectors
}

function querent(...argv: readonly string[]): Promise<number> {
  return runCli(argv, terminal)
}

function fail(line: string): number {
  console.error(line)
  return 1
}
