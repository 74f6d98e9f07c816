/**
 * Searches in the forms that applications send, through the proxy with its defaults, before a real OpenSearch: boosts, phrases,
 * fuzziness, words that must all match, and factors beside the words (popularity, age). How much better the words rank, and whether
 * the caller's factors keep their weight.
 *
 * QUERENT_POLICY has another policy file than the shipped one, which was trained on most of these queries.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@opensearch-project/opensearch'
// The package as it is published, which is what users run.
import { createProxy } from 'querent/proxy'
import { filesOf, indexOf, type Source, trainingSources } from '../scripts/training-sources.ts'
import { findCorpus, readBeir } from '../src/evaluation/beir-folder.ts'
import { readCorpus } from '../src/evaluation/corpus.ts'
import { scoreRun } from '../src/evaluation/score.ts'
import { createRandom, permutation } from '../src/learn/random.ts'
import { mean } from '../src/learn/statistics.ts'
import type { Hit, Qrels } from '../src/types.ts'
import { startEngine } from '../test/support/engines.ts'
import { rounded } from './numbers.ts'
import { printWhenMain } from './print.ts'
import type { BenchResult, RunOptions } from './result.ts'

const data = '../shared/data'
const metric = 'ndcg@10'

type Clause = Readonly<Record<string, unknown>>

const multi = (query: string, fields: readonly string[], more: Clause = {}): Clause => ({
  multi_match: { query, fields, ...more },
})
const [plain, boosted] = [
  ['title', 'text'],
  ['title^3', 'text'],
]
const phrase = (query: string, field: string, boost: number): Clause => ({
  match_phrase: { [field]: { query, slop: 2, boost } },
})
const functions = (query: Clause, more: Clause): Clause => ({ function_score: { query, ...more } })
const byPopularity = { field_value_factor: { field: 'popularity', modifier: 'log1p' } }

/** What a form ranks by beside the words, for the figures of the first five hits. */
type Factor = 'popularity' | 'age'

interface Form {
  readonly name: string
  readonly query: (words: string) => Clause
  readonly factor?: Factor
}

const forms: readonly Form[] = [
  { name: 'no boosts', query: (words) => multi(words, plain) },
  { name: 'title^3', query: (words) => multi(words, boosted) },
  {
    name: 'title^3, phrase of boost 2',
    query: (words) => ({ bool: { must: [multi(words, boosted)], should: [phrase(words, 'title', 2)] } }),
  },
  { name: 'most_fields, title^3', query: (words) => multi(words, boosted, { type: 'most_fields' }) },
  {
    name: 'cross_fields, and',
    query: (words) => multi(words, boosted, { type: 'cross_fields', operator: 'and' }),
  },
  { name: 'minimum_should_match', query: (words) => multi(words, plain, { minimum_should_match: '2<60%' }) },
  { name: 'fuzziness', query: (words) => multi(words, boosted, { fuzziness: 'AUTO' }) },
  {
    name: 'fuzziness, two words misspelled',
    query: (words) => multi(misspelled(words), plain, { fuzziness: 'AUTO' }),
  },
  {
    name: 'phrase in should',
    query: (words) => ({ bool: { must: [multi(words, plain)], should: [phrase(words, 'text', 1)] } }),
  },
  {
    name: 'popularity, multiplied',
    query: (words) => functions(multi(words, plain), byPopularity),
    factor: 'popularity',
  },
  {
    name: 'popularity, summed up',
    query: (words) => functions(multi(words, boosted), { ...byPopularity, boost_mode: 'sum' }),
    factor: 'popularity',
  },
  {
    name: 'popularity, averaged',
    query: (words) => functions(multi(words, plain), { ...byPopularity, boost_mode: 'avg' }),
    factor: 'popularity',
  },
  {
    name: 'decay by age',
    query: (words) =>
      functions(multi(words, plain), {
        functions: [{ exp: { created: { origin: '2026-11-27', scale: '180d', decay: 0.5 } } }],
      }),
    factor: 'age',
  },
  {
    name: 'rank_feature',
    query: (words) => ({
      bool: {
        must: [multi(words, boosted)],
        should: [{ rank_feature: { field: 'rank', boost: 3, saturation: { pivot: 50 } } }],
      },
    }),
    factor: 'popularity',
  },
]

/** Two neighboring letters of the first two long words change places. */
function misspelled(words: string): string {
  let left = 2
  return words.replaceAll(/\p{L}{5,}/gu, (word) => {
    if (left-- <= 0) return word
    return `${word.slice(0, 2)}${word[3]}${word[2]}${word.slice(4)}`
  })
}

/** A document's factors, drawn by its docid alone: they know nothing of relevance. */
function factorsOf(docid: string): Readonly<Record<Factor, number>> {
  const random = createRandom([...docid].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7))
  return { popularity: Math.exp(random.integer(7001) / 1000), age: random.integer(1000) }
}

export async function run({ quick = false }: RunOptions = {}): Promise<BenchResult> {
  if (!existsSync(data)) throw new Error(`The judged collections are not there: ${data}`)
  const wanted = process.env.QUERENT_COLLECTIONS?.split(',')
  // Conversations need their history, and one collection twice needs both of its indices.
  const sources = trainingSources.filter(
    ({ name, queries }) => name !== 'mtrag' && queries === undefined && (wanted?.includes(name) ?? true),
  )
  const engine = await startEngine('opensearch')
  const client = new Client({ node: engine.urls[0]! })
  const policy = process.env.QUERENT_POLICY
  const proxy = await createProxy({ target: engine.urls[0]!, ...(policy !== undefined && { policy }) })
  try {
    const through = await proxy.listen(0)
    for (const index of new Set(sources.map(indexOf))) await fill(client, index)
    const results: Result[] = []
    for (const source of sources)
      results.push(...(await compare(source, engine.urls[0]!, through, quick ? 20 : 100)))
    return { name: 'applications', rows: rowsOf(results), notes: notesOf(sources) }
  } finally {
    await proxy.close()
    await client.close()
    await engine.stop()
  }
}

async function fill(client: Client, index: string): Promise<void> {
  const created = (age: number): string => new Date(Date.UTC(2026, 10, 27) - age * 86_400_000).toISOString()
  await client.indices.create({
    index,
    body: {
      settings: { number_of_shards: 1, number_of_replicas: 0 },
      mappings: {
        properties: {
          title: { type: 'text' },
          text: { type: 'text' },
          popularity: { type: 'float' },
          rank: { type: 'rank_feature' },
          created: { type: 'date' },
        },
      },
    },
  })
  await client.helpers.bulk({
    datasource: readCorpus(await findCorpus(join(data, index))),
    onDocument({ docid, title = '', text }) {
      const { popularity, age } = factorsOf(docid)
      return [
        { index: { _index: index, _id: docid } },
        { title, text, popularity, rank: popularity, created: created(age) },
      ]
    },
  })
  await client.indices.forcemerge({ index, max_num_segments: 1 })
  await client.indices.refresh({ index })
}

interface Result {
  readonly form: Form
  readonly collection: string
  /** In percent, of the engine alone and through Querent. */
  readonly engine: number
  readonly querent: number
  /** The mean of the factor among the first five hits. */
  readonly factors?: readonly [number, number]
  /** Queries whose first ten hits changed. */
  readonly changed: number
}

async function compare(source: Source, direct: string, through: string, count: number): Promise<Result[]> {
  const folder = join(data, source.folder ?? source.name)
  const { queries, qrels } = await readBeir(folder, filesOf(folder, source))
  const judged = queries.filter(({ qid }) => qrels.has(qid!))
  const asked = [...permutation(judged.length, createRandom(1))].slice(0, count).map((at) => judged[at]!)
  const results: Result[] = []
  for (const form of forms) {
    const runs = [new Map<string, Hit[]>(), new Map<string, Hit[]>()] as const
    for (const { qid, text } of asked)
      for (const [place, url] of [direct, through].entries())
        runs[place]!.set(qid!, await search(url, indexOf(source), form.query(text)))
    const of = (run: Map<string, Hit[]>): number =>
      100 * scoreRun(run, onlyOf(qrels, run), [metric]).means.get(metric)!
    const found = [...runs[0].keys()].filter((qid) => runs[0].get(qid)!.length > 0)
    // Words that must all match often find nothing: such queries say nothing of either.
    if (found.length < 10) continue
    const [engine, querent] = [of(only(runs[0], found)), of(only(runs[1], found))]
    const { factor } = form
    const figure = (run: Map<string, Hit[]>): number =>
      mean(
        found.map((qid) =>
          mean(
            run
              .get(qid)!
              .slice(0, 5)
              .map(({ docid }) => factorsOf(docid)[factor!]),
          ),
        ),
      )
    results.push({
      form,
      collection: source.name,
      engine,
      querent,
      changed: found.filter((qid) => String(docids(runs[0], qid)) !== String(docids(runs[1], qid))).length,
      ...(factor !== undefined && { factors: [figure(runs[0]), figure(runs[1])] as const }),
    })
    console.error(
      `${source.name}, ${form.name}: ${rounded(engine)} → ${rounded(querent)} (${found.length} queries)${factor === undefined ? '' : `; ${factor} ${rounded(figure(runs[0]))} → ${rounded(figure(runs[1]))}`}`,
    )
  }
  return results
}

const docids = (run: Map<string, Hit[]>, qid: string): string[] => run.get(qid)!.map(({ docid }) => docid)

const only = (run: Map<string, Hit[]>, qids: readonly string[]): Map<string, Hit[]> =>
  new Map(qids.map((qid) => [qid, run.get(qid)!]))

const onlyOf = (qrels: Qrels, run: Map<string, Hit[]>): Qrels =>
  new Map([...run.keys()].map((qid) => [qid, qrels.get(qid)!]))

async function search(url: string, index: string, query: Clause): Promise<Hit[]> {
  const response = await fetch(`${url}/${index}/_search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ size: 10, query, _source: ['title'] }),
  })
  if (!response.ok) throw new Error(await response.text())
  const { hits } = (await response.json()) as { hits: { hits: { _id: string; _score: number }[] } }
  return hits.hits.map(({ _id, _score }, place) => ({ docid: _id, score: _score, rank: place + 1 }))
}

function rowsOf(results: readonly Result[]): BenchResult['rows'] {
  return forms.flatMap((form) => {
    const own = results.filter((one) => one.form === form)
    if (own.length === 0) return []
    const gains = own.map(({ engine, querent }) => querent - engine)
    const worst = own[gains.indexOf(Math.min(...gains))]!
    const factors = own.flatMap(({ factors }) => (factors === undefined ? [] : [factors]))
    const of = (place: 0 | 1): number => mean(factors.map((pair) => pair[place]))
    return [
      {
        form: form.name,
        collections: own.length,
        engine: rounded(mean(own.map(({ engine }) => engine))),
        querent: rounded(mean(own.map(({ querent }) => querent))),
        gain: rounded(mean(gains)),
        least_gain: rounded(Math.min(...gains)),
        least_of: worst.collection,
        factor_percent: factors.length === 0 ? '' : rounded((100 * of(1)) / of(0)),
      },
    ]
  })
}

const notesOf = (sources: readonly Source[]): string[] => [
  `OpenSearch, an index for each corpus of ${sources.length} judged collections; nDCG@10 in %, 100 queries of each, those for which the engine finds something. gain: in points, the mean over collections, and the least.`,
  'factor_percent: the mean popularity or age of the first five hits, beside that of the engine. Factors are drawn at random.',
  'The shipped policy was trained on most of these queries.',
]

await printWhenMain(import.meta.filename, run)
