// @ts-check
/**
 * From a fresh clone to optimized searches: installs what is missing, indexes the sample collection for words and for
 * meaning, and shows five questions side by side: without Querent, with the local policy that comes with the package, and a
 * language model. Without a chat server it replays recorded completions.
 *
 *     npm run quickstart
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { styleText } from 'node:util'
import { startChatReplay } from './chat-replay.mjs'
import { installModel } from './export-model.mjs'
import { installNative } from './install-native.mjs'
import { legend, questionScreen } from './quickstart-screen.mjs'
import { installAndBuild, root, run } from './steps.mjs'

const sample = join(root, 'src/sample')
const index = join(root, '.querent/quickstart')
/** One question of a kind, and one that takes a language model. */
const shown = new Map([
  ['q09', 'A plain question'],
  ['q16', 'A comparison'],
  ['q24', 'A chain of facts'],
  ['q29', 'A conversation'],
  ['q34', 'A harder conversation'],
])
const metric = 'recall@5'
const width = process.stdout.columns ?? 100

await installAndBuild()
const querent = await load()

/** @type {(text: string) => string} */
const bold = (text) => styleText('bold', text)

const retrievers = await makeIndex()
const { chat, name: llm, close: closeChat } = await chatModel()
const opened = await querent.openIndex(index, {
  retrievers,
  embedder: ({ model }) => querent.onnxEmbedder({ model }),
})
const { queries, qrels } = await querent.readBeir(sample, {})
const titles = readTitles()
const systems = await makeSystems()

console.log(
  `\n${bold('Five questions, three ways to search')} (with ${retrievers.map((name) => `${name}, by ${name === 'dense' ? 'meaning' : 'words'}`).join(', and ')})\n`,
)
for (const line of legend) console.log(`  ${line}`)
for (const [qid, kind] of shown) await show(qid, kind)
await compareOnAll()

await closeChat()
await opened.close()
const dense = retrievers.includes('dense') ? ' --dense' : ''
console.log(`
${bold('Next')}, see why each hit is there:
  npx querent explain "${queries.find(({ qid }) => qid === 'q16')?.text}" --index .querent/quickstart

With your own documents, one JSON object a line ({"_id": "1", "title": "…", "text": "…"}):
  npx querent index documents.jsonl --out my-index${dense}
  npx querent search "a question" --index my-index
  npx querent serve --index my-index          # prints the URL to search at

With the cluster you have:
  npx querent proxy --target http://localhost:9200    # Elasticsearch or OpenSearch; docs/start.md has more

On a page, with searches of your own:
  npx querent serve --sample`)

/** The parts of the package that are used here, from the build. */
async function load() {
  const [core, policies, folder, evaluation, beir, models] = await Promise.all([
    import('../dist/src/index.js'),
    import('../dist/policies/index.js'),
    import('../dist/src/index-folder/open.js'),
    import('../dist/src/evaluation/evaluate.js'),
    import('../dist/src/evaluation/beir-folder.js'),
    import('../dist/adapters/models/index.js'),
  ])
  return { ...core, ...policies, ...folder, ...evaluation, ...beir, ...models }
}

/** Indexes the sample, with vectors if they can be had; what an earlier run embedded is not embedded again. */
async function makeIndex() {
  const command = ['node', 'dist/src/cli/main.js', 'index', sample, '--out', index]
  const { faiss, onnxruntime } = await installNative()
  const model =
    faiss === true && onnxruntime === true ? await installModel() : 'FAISS or the ONNX runtime is missing'
  if (model === true && (await run([...command, '--dense'])) === 0) return ['bm25', 'dense']
  if (model !== true) console.log(`No vectors here, so BM25 alone: ${model}`)
  if ((await run(command)) !== 0) process.exit(1)
  return ['bm25']
}

/** The chat server of the environment, or a replay of what is recorded beside the sample. */
async function chatModel() {
  const { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: apiKey, QUERENT_CHAT_MODEL: model } = process.env
  if (model && (baseUrl || apiKey)) {
    const options = { model, ...(baseUrl && { baseUrl }), ...(apiKey && { apiKey }) }
    return { chat: querent.openaiChat(options), name: `LLM (${model})`, close: async () => {} }
  }
  const server = await startChatReplay({ files: [join(sample, 'rewrites.jsonl')] })
  console.log(
    "No chat server is configured: the LLM's answers are recorded. It wrote them from the question alone (src/sample/README.md).",
  )
  const chat = querent.openaiChat({ model: 'replay', baseUrl: server.url })
  return { chat, name: 'LLM (recorded)', close: () => server.close() }
}

/** The three columns, by their headings. */
async function makeSystems() {
  const common = {
    retrievers: opened.retrievers,
    documents: (/** @type {readonly string[]} */ docids) => opened.documents.get(docids),
    k: 5,
  }
  const { createOptimizer, localPolicy, acqo } = querent
  const local = await localPolicy({ retrievers: opened.retrievers })
  const asking = await localPolicy({ retrievers: opened.retrievers, decider: acqo() })
  return new Map([
    ['without Querent', createOptimizer(common)],
    ['local', createOptimizer({ ...common, ...local })],
    [llm, createOptimizer({ ...common, ...asking, chat })],
  ])
}

function readTitles() {
  const lines = readFileSync(join(sample, 'corpus.jsonl'), 'utf8').trim().split('\n')
  return new Map(lines.map((line) => JSON.parse(line)).map(({ _id, title }) => [_id, title]))
}

/** @type {(qid: string, kind: string) => Promise<void>} */
async function show(qid, kind) {
  const query = queries.find((one) => one.qid === qid)
  if (query === undefined) return
  const columns = []
  for (const [heading, { search }] of systems) columns.push({ heading, result: await search(query) })
  const needed = new Set(qrels.get(qid)?.keys())
  const question = { kind, text: query.text, history: query.history ?? [], needed }
  console.log('')
  for (const line of questionScreen(question, columns, (docid) => titles.get(docid) ?? docid, width))
    console.log(line)
}

/** What kind of question each is: the reader of queries has no use for it. */
function typesOfQuestions() {
  const lines = readFileSync(join(sample, 'queries.jsonl'), 'utf8').trim().split('\n')
  return new Map(lines.map((line) => JSON.parse(line)).map(({ _id, metadata }) => [_id, metadata.type]))
}

/** All questions of the sample, each way, by type. */
async function compareOnAll() {
  /** @type {[string, ReadonlyMap<string, number> | undefined][]} */
  const values = []
  for (const [heading, { search }] of systems) {
    const { values: found } = await querent.evaluate(search, queries, qrels, { metrics: [metric], k: 5 })
    values.push([heading, found.get(metric)])
  }
  const types = typesOfQuestions()
  const rows = [...new Set(types.values()), 'all'].map((type) => {
    const qids = queries.map(({ qid = '' }) => qid).filter((qid) => type === 'all' || types.get(qid) === type)
    const means = values.map(([heading, found]) => [
      heading,
      percent(mean(qids.map((qid) => found?.get(qid) ?? 0))),
    ])
    return { questions: `${type} (${qids.length})`, ...Object.fromEntries(means) }
  })
  console.log(
    `\n${bold(`All ${queries.length} questions of the sample`)}: of the documents that the answers need, % among the first 5 hits (${metric})`,
  )
  for (const line of table(rows)) console.log(line)
  console.log(
    'The sample is small and was written for this demonstration; local was not trained on it. Yours will differ:\nnpx querent evaluate --help',
  )
}

/**
 * Rows of the same keys, below their keys; numbers flush right.
 *
 * @param {readonly Record<string, string | number>[]} rows
 */
function table(rows) {
  const keys = Object.keys(rows[0] ?? {})
  const cells = [keys, ...rows.map((row) => keys.map((key) => `${row[key]}`))]
  const widths = keys.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  return cells.map(
    (row) =>
      `  ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('   ')}`,
  )
}

/** @param {readonly number[]} values */
function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** @param {number} value */
function percent(value) {
  return (100 * value).toFixed(1)
}
