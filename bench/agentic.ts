/**
 * What the policies with a language model are worth on fixed samples of the judged collections: 60 questions of MuSiQue, 40 of HotpotQA,
 * 40 of Natural Questions, chosen by the seed 42. Their model is a chat server; the same server with the same completions gives the
 * same figures. Prints recall@5, the share of questions with all relevant documents among the first five, exact match, F1, cited
 * recall, and requests to the model and tokens a question; and the differences of `agentic` with the p of a paired randomization test.
 *
 *     npx tsx bench/agentic.ts [--chat-url http://127.0.0.1:8000/v1] [--chat-model name] [--collections <folder>] [--indexes <folder>]
 *         [--policies local,acqo,agentic] [--only musique-train] [--limit 5] [--answer false] [--concurrency 140] [--timeout 3600]
 *
 * Without a chat server, the completions of bench/results/agentic.jsonl are replayed. They know prompts by a digest of their messages:
 * with another policy file or other prompts, searches lack completions, and their number is printed in place of figures.
 *
 * `--indexes` holds an index a collection, made by `querent index`. `--answer false` asks for hits alone, which adds how many questions
 * ask no model; `--policies local,agentic,"agentic always"` says what that costs. `--timeout` is in seconds, for servers whose completions are written by hand.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openaiChat } from '../adapters/models/openai.ts'
import { policyByName } from '../policies/by-name.ts'
import { localPolicy } from '../policies/local/local-policy.ts'
import { readAnswers } from '../src/evaluation/answers.ts'
import { readBeir } from '../src/evaluation/beir-folder.ts'
import { type Evaluation, evaluate } from '../src/evaluation/evaluate.ts'
import { randomizationTest } from '../src/evaluation/significance.ts'
import { openIndex } from '../src/index-folder/open.ts'
import { createRandom } from '../src/learn/random.ts'
import { mean } from '../src/learn/statistics.ts'
import { createOptimizer } from '../src/optimizer.ts'
import type { Query, SearchResult } from '../src/types.ts'
import { completion, failure, startChatServer } from '../test/support/chat-server.ts'
import { digestOf } from '../test/support/recorded-answers.ts'

const seed = 42
const samples: Readonly<Record<string, number>> = {
  'musique-train': 60,
  'hotpotqa-train': 40,
  'nq-train': 40,
}

const recordings = new URL('results/agentic.jsonl', import.meta.url)

interface System {
  readonly policy: string
  readonly maxRounds?: number
  readonly askWhen?: 'always'
  /** Whether the local policy re-ranks. */
  readonly rerank?: true
}

/** The last one is for `--answer false`, where `agentic` asks only if it is needed. */
const systems: Readonly<Record<string, System>> = {
  local: { policy: 'local' },
  acqo: { policy: 'acqo' },
  'acqo --rerank local': { policy: 'acqo', rerank: true },
  'acqo --max-rounds 2': { policy: 'acqo', maxRounds: 2 },
  'acqo --max-rounds 2 --rerank local': { policy: 'acqo', maxRounds: 2, rerank: true },
  c3po: { policy: 'c3po' },
  agentic: { policy: 'agentic' },
  'agentic always': { policy: 'agentic', askWhen: 'always' },
}

const { values } = parseArgs({
  options: {
    'chat-url': { type: 'string' },
    'chat-model': { type: 'string', default: 'queue' },
    collections: { type: 'string', default: '../shared/data' },
    indexes: { type: 'string', default: '.querent/bench' },
    // Those of c3po are recorded for `--limit 5`.
    policies: { type: 'string', default: 'local,acqo,acqo --max-rounds 2,agentic' },
    only: { type: 'string', default: Object.keys(samples).join(',') },
    limit: { type: 'string', default: '1000' },
    answer: { type: 'string', default: 'true' },
    concurrency: { type: 'string', default: '140' },
    timeout: { type: 'string', default: '3600' },
  },
})
let missing = 0
const replayed = values['chat-url'] === undefined ? await replayOf(recordings) : undefined
const patience = 1000 * Number(values.timeout)
const chat = openaiChat({
  baseUrl: values['chat-url'] ?? replayed!.url,
  model: values['chat-model'],
  retries: 0,
  timeout: patience,
})

const columns = {
  'R@5': 'recall@5',
  'all@5': 'all@5',
  EM: 'em',
  F1: 'answer_f1',
  cited: 'cited_recall',
  requests: 'requests',
  tokens: 'tokens',
  'not asked, %': 'not asked',
}
const metrics = Object.values(columns)
console.log(`| collection | policy | ${Object.keys(columns).join(' | ')} |`)
console.log(`| --- | --- |${' ---: |'.repeat(metrics.length)}`)
// All at once, so that whoever writes completions by hand has many to write.
for (const lines of await Promise.all(values.only.split(',').map(compareOn)))
  for (const line of lines) console.log(line)

if (missing > 0) console.log(`${missing} completions are missing: these figures mean nothing.`)
await replayed?.close()

/** A chat server that knows the recorded completions. */
async function replayOf(file: URL) {
  const lines = (await readFile(file, 'utf8')).trim().split('\n')
  const known = new Map(
    lines.map((line) => {
      const { digest, completion: text } = JSON.parse(line) as { digest: string; completion: string }
      return [digest, text] as const
    }),
  )
  return startChatServer(({ body: { messages } }) => {
    const content = known.get(digestOf(messages))
    if (content !== undefined) return completion(content)
    missing++
    return failure(404, 'no completion is recorded')
  })
}

/** Qids in an order that the seed decides. */
function sampled(queries: readonly Query[], count: number): readonly Query[] {
  const random = createRandom(seed)
  const order = queries
    .map((query) => ({ query, at: random.uint32() }))
    .sort((one, other) => one.at - other.at)
  return order.slice(0, count).map(({ query }) => query)
}

async function compareOn(name: string): Promise<readonly string[]> {
  const folder = join(values.collections, name)
  const files = { queries: join(folder, 'queries.jsonl'), qrels: join(folder, 'qrels.tsv') }
  const { queries, qrels } = await readBeir(folder, files)
  const answers = await readAnswers(files.queries)
  const known = queries.filter(({ qid = '' }) => qrels.has(qid) && answers.has(qid))
  const asked = sampled(known, Math.min(samples[name]!, Number(values.limit)))
  const index = await openIndex(join(values.indexes, name), { retrievers: ['bm25'] })
  async function measured(system: string): Promise<readonly [string, Measured]> {
    const { policy, rerank, ...settings } = systems[system]!
    const named = await policyByName(policy, { ...settings, timeout: 4 * patience, chatTimeout: patience })
    const own = await named.make(index.retrievers)
    const made = rerank ? await localPolicy({ retrievers: index.retrievers, decider: own.policy }) : own
    const optimizer = createOptimizer({
      retrievers: index.retrievers,
      ...made,
      chat,
      legTimeout: patience,
      budget: { askTimeout: patience, timeout: 4 * patience },
      documents: (docids) => index.documents.get(docids),
    })
    const results: SearchResult[] = []
    const evaluation = await evaluate(
      (query, options) => optimizer.search(query, { ...options, answer: values.answer !== 'false' }),
      asked,
      qrels,
      {
        metrics: ['recall@5'],
        answers,
        k: 10,
        concurrency: Number(values.concurrency),
        onResult: (result) => void results.push(result),
      },
    )
    for (const { qid, error } of evaluation.errors)
      console.error(`${name} ${system} ${qid}: ${error.message}`)
    for (const { trace } of results)
      if (trace.fallback) console.error(`${name} ${system} ${trace.query.qid}: ${trace.fallback.message}`)
    return [system, measure(evaluation, results)]
  }

  const all = new Map(await Promise.all(values.policies.split(',').map(measured)))
  await index.close()
  const agentic = all.get('agentic')
  const rows = Array.from(all, ([system, own]) => {
    const figures = metrics.map((metric) => shown(metric, mean(own.get(metric)!)))
    return `| ${name} (${asked.length}) | ${system} | ${figures.join(' | ')} |`
  })
  const differences = Array.from(all, ([system, other]) => {
    if (agentic === undefined || other === agentic) return []
    const figures = metrics.map((metric) => {
      const { difference, p } = randomizationTest(agentic.get(metric)!, other.get(metric)!)
      return `${difference > 0 ? '+' : ''}${shown(metric, difference)} (p ${p.toFixed(3)})`
    })
    return [`| ${name} | agentic − ${system} | ${figures.join(' | ')} |`]
  })
  return [...rows, ...differences.flat()]
}

/** Metric → its value of each question, in one order. */
type Measured = ReadonlyMap<string, readonly number[]>

function measure({ qids, values: scores }: Evaluation, results: readonly SearchResult[]): Measured {
  const traces = new Map(results.map(({ trace }) => [trace.query.qid!, trace]))
  const ofTraces = (figureOf: (trace: SearchResult['trace']) => number): number[] =>
    qids.map((qid) => (traces.has(qid) ? figureOf(traces.get(qid)!) : 0))
  const recall = qids.map((qid) => scores.get('recall@5')!.get(qid)!)
  const ofScores = metrics.flatMap((metric) => {
    const found = scores.get(metric)
    return found === undefined ? [] : [[metric, qids.map((qid) => found.get(qid) ?? 0)] as const]
  })
  return new Map([
    ...ofScores,
    ['all@5', recall.map((value) => (value === 1 ? 1 : 0))],
    // With repairs.
    [
      'requests',
      ofTraces(({ steps }) =>
        steps.reduce((sum, step) => sum + (step.type === 'ask' ? step.attempts : 0), 0),
      ),
    ],
    ['not asked', ofTraces(({ steps }) => (steps.some(({ type }) => type === 'ask') ? 0 : 1))],
    ['tokens', ofTraces(({ tokens }) => tokens.prompt + tokens.completion)],
  ])
}

/** Shares in %, the others as they are. */
function shown(metric: string, value: number): string {
  if (metric === 'tokens') return value.toFixed(0)
  return metric === 'requests' ? value.toFixed(2) : (100 * value).toFixed(1)
}
