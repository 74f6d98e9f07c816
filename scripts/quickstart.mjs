// @ts-check
/**
 * From a fresh clone to searched, decided and explained queries: installs what is missing, indexes the sample collection
 * for words and for meaning, and shows what was decided about a handful of questions, what each leg found, what came of
 * it, and what it did to recall. Without a chat server it replays recorded completions.
 *
 *     npm run quickstart
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { styleText } from 'node:util'
import { startChatReplay } from './chat-replay.mjs'
import { installNative } from './install-native.mjs'
import { installPython } from './install-system.mjs'
import { installAndBuild, root, run } from './steps.mjs'

const sample = join(root, 'src/sample')
const index = join(root, '.querent/quickstart')
/** What is shown leg by leg: of each type one, with one that a rewrite does not help and one that it hurts. */
const shown = ['q13', 'q21', 'q31', 'q09', 'q03']
const metric = 'recall@5'

await installAndBuild()
const { createOptimizer, acqo, none, openIndex, readBeir, evaluate, openaiChat, onnxEmbedder } =
  await querent()

/** @type {(text: string) => string} */
const bold = (text) => styleText('bold', text)
/** @type {(text: string) => string} */
const dim = (text) => styleText('dim', text)

const retrievers = await makeIndex()
const { chat, close: closeChat } = await chatModel()
const opened = await openIndex(index, { retrievers, embedder: ({ model }) => onnxEmbedder({ model }) })
const { queries, qrels } = await readBeir(sample, {})
const optimizer = createOptimizer({ retrievers: opened.retrievers, policy: acqo(), chat })

for (const qid of shown) await show(queries.find((query) => query.qid === qid))
await compareOnAll()

await closeChat()
await opened.close()
console.log(`
Now yours:
  npx querent index <your documents.jsonl> --out my-index${retrievers.includes('dense') ? ' --dense' : ''}
  npx querent search "a question" --index my-index
  npx querent explain "${queries[0]?.text}" --index ${index.replace(root, '')}`)

/** The parts of the package that are used here, from the build. */
async function querent() {
  const [core, folder, evaluation, beir, openai, onnx] = await Promise.all([
    import('../dist/src/index.js'),
    import('../dist/src/index-folder/open.js'),
    import('../dist/src/evaluation/evaluate.js'),
    import('../dist/src/evaluation/beir-folder.js'),
    import('../dist/adapters/models/openai.js'),
    import('../dist/adapters/models/onnx.js'),
  ])
  return { ...core, ...folder, ...evaluation, ...beir, ...openai, ...onnx }
}

/** Indexes the sample, with vectors if they can be had; what an earlier run embedded is not embedded again. */
async function makeIndex() {
  const command = ['node', 'dist/src/cli/main.js', 'index', sample, '--out', index]
  const { faiss, onnxruntime } = await installNative()
  await installPython()
  if (faiss === true && onnxruntime === true) {
    if ((await run([...command, '--dense'])) === 0) return ['bm25', 'dense']
    console.log('No embedding model can be had here: going on with BM25 alone.')
  } else console.log('FAISS or the ONNX runtime cannot be had here: going on with BM25 alone.')
  if ((await run(command)) !== 0) process.exit(1)
  return ['bm25']
}

/** The chat server of the environment, or a replay of what is recorded beside the sample. */
async function chatModel() {
  const { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: apiKey, QUERENT_CHAT_MODEL: model } = process.env
  if (model && (baseUrl || apiKey)) {
    console.log(`Rewriting with ${model}.`)
    return {
      chat: openaiChat({ model, ...(baseUrl && { baseUrl }), ...(apiKey && { apiKey }) }),
      close: async () => {},
    }
  }
  const server = await startChatReplay({ files: [join(sample, 'rewrites.jsonl')] })
  console.log(
    `No chat server is configured: replaying recorded completions over HTTP (how they were made: src/sample/README.md).`,
  )
  return { chat: openaiChat({ model: 'replay', baseUrl: server.url }), close: () => server.close() }
}

/**
 * One search: what was decided, what each leg found, and the fused list.
 *
 * @param {import('../dist/src/index.js').Query | undefined} query
 */
async function show(query) {
  if (query === undefined) return
  const wanted = qrels.get(query.qid ?? '') ?? new Map()
  const mark = (/** @type {string} */ docid) => (wanted.has(docid) ? styleText('green', `${docid} ✓`) : docid)
  const { hits, trace } = await optimizer.search({ ...query, k: 5 })
  console.log(`\n${bold(query.text)}`)
  for (const { role, text } of query.history ?? []) console.log(dim(`  after ${role}: ${text}`))
  console.log(
    `  ${trace.kind}${trace.fallback ? ` (${trace.reason})` : ''} ${dim(`${trace.times.total.toFixed(0)} ms`)}`,
  )
  const legs = trace.steps.flatMap((step) => (step.type === 'retrieve' ? step.legs : []))
  for (const { text } of trace.subQueries) {
    console.log(`  ${styleText('cyan', text)}`)
    for (const leg of legs.filter((found) => found.subQuery.text === text)) {
      const best = leg.hits?.slice(0, 4).map(({ docid }) => mark(docid)) ?? [leg.error?.message ?? leg.status]
      console.log(`    ${leg.retriever.padEnd(6)} ${best.join(dim(' · '))}`)
    }
  }
  for (const { rank, docid, score, provenance = [] } of hits) {
    const from = provenance.map(
      ({ retriever, rank: place, share = 0 }) => `${retriever} #${place} ${(100 * share).toFixed(0)} %`,
    )
    console.log(`  ${rank}. ${mark(docid)} ${dim(`${score.toFixed(3)} = ${from.join(' + ')}`)}`)
  }
}

/** What kind of question each is: the reader of queries has no use for it. */
function typesOfQuestions() {
  const lines = readFileSync(join(sample, 'queries.jsonl'), 'utf8').trim().split('\n')
  return new Map(lines.map((line) => JSON.parse(line)).map(({ _id, metadata }) => [_id, metadata.type]))
}

/** All questions of the sample, as they are and rewritten, by type. */
async function compareOnAll() {
  const systems = [none(), acqo()].map((policy) =>
    createOptimizer({ retrievers: opened.retrievers, policy, chat }),
  )
  const [asIs, rewritten] = await Promise.all(
    systems.map(({ search }) => evaluate(search, queries, qrels, { metrics: [metric], k: 10 })),
  )
  const types = typesOfQuestions()
  const rows = [...new Set(types.values()), 'all'].map((type) => {
    const qids = queries.map(({ qid = '' }) => qid).filter((qid) => type === 'all' || types.get(qid) === type)
    const [before = 0, after = 0] = [asIs, rewritten].map((evaluation) =>
      mean(qids.map((qid) => evaluation?.values.get(metric)?.get(qid) ?? 0)),
    )
    return {
      type,
      queries: qids.length,
      'as it is': percent(before),
      rewritten: percent(after),
      difference: percent(after - before),
    }
  })
  console.log(`\n${bold(`${metric} on all ${queries.length} questions, %`)}`)
  console.table(rows)
}

/** @param {readonly number[]} values */
function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** @param {number} value */
function percent(value) {
  return Number((100 * value).toFixed(1))
}
