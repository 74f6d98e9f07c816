/**
 * What answering policies cost beside their retrieval and their model: `optimizer.search`, less the time that its retriever had. The
 * model answers at once, and makes every policy go as far as it may. BM25 searches in this thread, so its time is not anyone else's.
 */
import { c3po } from '../policies/c-3po/c-3po.ts'
import { mao } from '../policies/mao-arag/mao.ts'
import { mmoa } from '../policies/mmoa-rag/mmoa.ts'
import { sparkle } from '../policies/sparkle/sparkle.ts'
import { createRandom } from '../src/learn/random.ts'
import { createOptimizer } from '../src/optimizer.ts'
import type { Policy } from '../src/policy.ts'
import type { ChatModel, Message, Retriever, SearchResult } from '../src/types.ts'
import { generatedBm25, type Words, wordsPerQuery, zipfianWords } from './generated.ts'
import { heldMegabytes } from './measuring.ts'
import { median, percentile, rounded } from './numbers.ts'
import { printWhenMain } from './print.ts'
import type { BenchResult, RunOptions } from './result.ts'

const size = 5_000
const questions = 200
/** Milliseconds of a round. */
const promise = 1

const policies: readonly Policy[] = [
  mmoa(),
  c3po({ force: 'planning' }),
  mao({ workflow: 'QDP' }),
  mao({ rules: { 'mao/plan': ({ turn }) => (turn === 'question' ? ['QDS'] : ['QR', 'RA', 'DS', 'AG']) } }),
  sparkle(),
]
const names = ['mmoa', 'c3po, a plan', 'mao, QDP', 'mao, QDS', 'sparkle']

export async function run({ quick = false }: RunOptions = {}): Promise<BenchResult> {
  const words = zipfianWords(createRandom(1))
  const bm25 = await generatedBm25(size, words)
  const texts = Array.from({ length: questions }, () => words(wordsPerQuery))
  const rows = []
  for (const [place, policy] of policies.entries())
    rows.push(await measured(names[place]!, policy, bm25, { texts, words, passes: quick ? 2 : 5 }))
  return {
    name: 'answers',
    rows,
    notes: [
      `BM25 over ${size} generated documents, depth 100; ${questions} questions, once to warm up; the trace of each search is written as JSON afterwards.`,
      'rounds: requests to the retriever, that of the question included. overhead: the search less its retrieval, prompts rendered and parsed included; the model answers at once.',
      `round_p50_ms: overhead by round; at most ${promise}. heap_mb: held after a collection, before and after all passes.`,
    ],
  }
}

interface Work {
  readonly texts: readonly string[]
  readonly words: Words
  readonly passes: number
}

async function measured(name: string, policy: Policy, bm25: Retriever, { texts, words, passes }: Work) {
  let retrieving = 0
  const retriever: Retriever = {
    ...bm25,
    async retrieve(subQueries, options) {
      const start = performance.now()
      const legs = await bm25.retrieve(subQueries, options)
      retrieving += performance.now() - start
      return legs
    },
  }
  const { search } = createOptimizer({
    retrievers: [retriever],
    policy,
    chat: modelFor(() => words(wordsPerQuery)),
    depth: 100,
  })
  const of = { overhead: [] as number[], search: [] as number[], round: [] as number[] }
  const counts = { rounds: 0, prompts: 0 }
  let [before, traced] = [0, 0]
  for (let pass = 0; pass <= passes; pass++) {
    if (pass === 1) before = heldMegabytes().heap
    for (const text of texts) {
      retrieving = 0
      const start = performance.now()
      const result = await search(text)
      const took = performance.now() - start
      const { rounds, prompts } = countsOf(result)
      traced += JSON.stringify(result.trace).length
      if (pass === 0) continue
      counts.rounds += rounds
      counts.prompts += prompts
      of.search.push(took)
      of.overhead.push(took - retrieving)
      of.round.push((took - retrieving) / rounds)
    }
  }
  const after = heldMegabytes().heap
  const searches = passes * texts.length
  return {
    policy: name,
    prompts: rounded(counts.prompts / searches),
    rounds: rounded(counts.rounds / searches),
    search_p50_ms: rounded(median(of.search)),
    overhead_p50_ms: rounded(median(of.overhead)),
    overhead_p95_ms: rounded(percentile(of.overhead, 0.95)),
    round_p50_ms: rounded(median(of.round)),
    trace_kb: rounded(traced / (searches + texts.length) / 1000),
    heap_before_mb: rounded(before),
    heap_after_mb: rounded(after),
  }
}

function countsOf({ trace }: SearchResult) {
  const of = (type: string): number => trace.steps.filter((step) => step.type === type).length
  return { rounds: of('retrieve'), prompts: of('ask') }
}

/** Answers by the first words of the instructions, so that nothing ends before it has to. */
function modelFor(query: () => string): ChatModel {
  const says: Readonly<Record<string, (shown: string) => string>> = {
    'You prepare': () => [query(), query(), query(), query()].join('\n'),
    'You choose the documents': () => 'Document0,Document2',
    'You plan how': () => 'Search for one thing after the other.',
    'You decide what': () => `Thought: more is missing. Action: [Retrieval] ${query()}`,
    'You judge': () => 'Thought: two of them help. Action: [1, 3]',
    'You split': () => [query(), query(), query(), query()].join('\n'),
    'You rewrite': query,
    'You think': () => `<think>${query()}`,
    'You decide whether': () => 'Yes (retrieval is required)',
    'You write the query': () => `Step 1: <a; b; [unknown]>\nStep 2: b\nStep 3: ${query()}`,
    'You choose the one': (shown) => /^Facts:\n(.*)$/m.exec(shown)?.[1] ?? 'none',
  }
  return {
    name: 'at-once',
    async complete([system, user]: readonly Message[]) {
      const known = Object.keys(says).find((beginning) => system!.content.startsWith(beginning))
      const text = known === undefined ? 'a few words' : says[known]!(user!.content)
      return { text, tokens: { prompt: 0, completion: 0 } }
    },
  }
}

await printWhenMain(import.meta.filename, run)
