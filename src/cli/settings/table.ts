/**
 * Every setting: how it is read, what it means, and whether it is a flag. A flag is what changes between two runs. All are keys of
 * `querent.json` and of `--set`.
 */
import { z } from 'zod'
import { clusterUrl } from '../../../adapters/search/cluster/connection.ts'
import { languageSchema, languages } from '../../../adapters/search/language.ts'
import { effortNames } from '../../../policies/local/effort.ts'
import { corpusFormats } from '../../evaluation/corpus-formats.ts'
import { defaultMetrics } from '../../evaluation/default-metrics.ts'
import { tableFormats } from '../output/table-format.ts'
import { engineKind, enginePrefix } from './engine-definition.ts'
import { dashed, type Setting } from './setting.ts'
import {
  cachePlace,
  count,
  countOrZero,
  duration,
  fieldsOfFilters,
  fraction,
  limitsOfSearch,
  list,
  moment,
  names,
  number,
  oneOf,
  onePath,
  origins,
  port,
  pricesOfModels,
  rulesByIndex,
  secret,
  serverAddress,
  text,
  weights,
  within,
  yesOrNo,
} from './setting-kinds.ts'
import {
  defaultFusion,
  defaultPolicy,
  exportNames,
  fusionNames,
  metricNames,
  normNames,
  outsideNames,
  policyNames,
} from './setting-names.ts'

const key = <Schema extends z.ZodType>(
  schema: Schema,
  argument: string,
  description: string,
): Setting<Schema> => ({ schema, argument, description, isFlag: false })

const flag = <Schema extends z.ZodType>(
  schema: Schema,
  argument: string,
  description: string,
  others: Pick<Setting, 'negation' | 'isRepeated'> = {},
): Setting<Schema> => ({ schema, argument, description, isFlag: true, ...others })

/** A flag without a value. */
const yes = (description: string) => flag(yesOrNo, '', description)

const several = { isRepeated: true }
const policyFile = 'a file of `querent train`'

/** What is searched, and what is shown of it. */
const searching = {
  index: flag(onePath, '<dir>', 'the index, made by `querent index`', several),
  k: flag(count, '<count>', 'how many hits (default 10; to measure 100, or what the metrics need)'),
  retrievers: flag(list, '<names>', `of bm25,dense,${enginePrefix}NAME (default: all of them)`, several),
  model: flag(text, '<model>', 'to embed: a name, a folder or openai:NAME (default all-MiniLM-L6-v2)'),
  history: flag(text, '<file>', 'the conversation before: [{"role", "text"}, …]'),
  json: yes('print one JSON document and nothing else'),
  verbose: yes("add the policy's alternatives, and the lists, scores and features of each hit"),
}

/** What decides, orders and fuses. */
const deciding = {
  policy: flag(
    text,
    '<policy>',
    `${policyNames.join(', ')}, ${policyFile}, or a module (.mjs) that exports one (default ${defaultPolicy})`,
  ),
  policies: flag(names, '<policies>', `see --policy of search (default ${defaultPolicy})`),
  rerank: flag(
    z.union([text, z.literal(false)], 'must be a policy, or false'),
    '<policy>',
    `own (the policy's), none, ${defaultPolicy}, ${policyFile}, or ${outsideNames.join(', ')} (default own)`,
    { negation: 'the same as --rerank none' },
  ),
  reranks: flag(names, '<policies>', 'see --rerank of search (default own)'),
  rerankUrl: key(serverAddress, '<url>', 'the server of --rerank http (QUERENT_RERANK_URL) or llm'),
  rerankModel: key(text, '<name>', 'the model of --rerank http, onnx (or its folder) or llm'),
  rerankTimeout: key(duration, '<duration>', 'longest time for --rerank http, onnx or llm (default 3s)'),
  minConfidence: key(within(0, 1), '<share>', 'leave out hits less likely than this, 0 to 1'),
  filterFields: key(fieldsOfFilters, '<fields>', 'filters in queries: brand,price=EUR, or a .json'),
  effort: flag(oneOf(effortNames), '<word>', `how often ${defaultPolicy} splits: ${effortNames.join(', ')}`),
  withOriginal: key(yesOrNo, '', 'fuse the original query with its sub-queries'),
  template: flag(text, '<file>', 'acqo: your prompt, with {question}, {context}'),
  maxSecondStage: key(
    countOrZero.pipe(z.int().max(12, 'must be 12 or less')),
    '<count>',
    `most sub-queries of ${defaultPolicy}, 0 to 12 (default 12)`,
  ),
  maxSubQueries: key(count, '<count>', 'most sub-queries of a language model (default 3)'),
  fusion: flag(
    text,
    '<method>',
    `how to fuse the lists (default ${defaultFusion}): ${fusionNames.join(', ')}`,
  ),
  fusions: flag(names, '<methods>', `see --fusion of search (default ${defaultFusion})`),
  norm: flag(text, '<name>', `normalize scores first: ${normNames.join(', ')}`),
  weights: flag(weights, '<numbers>', 'one weight per run, separated by commas'),
  depth: flag(count, '<count>', 'hits of each list to fuse (100, or -k if larger; of runs all)'),
  timeout: flag(
    duration,
    '<duration>',
    'longest time for a search: 500ms, 5s, 2m (default 5s, mmoa 20s, c3po and mao 60s, sparkle 90s)',
  ),
  legTimeout: key(duration, '<duration>', 'longest time for a retriever (default 2s)'),
  budget: flag(limitsOfSearch, '<limits>', 'most cost of a search: asks=6,ms=20000,usd=0.01'),
  prices: key(pricesOfModels, '<prices>', 'dollars a million tokens: my-model=0.25/2'),
  workers: key(
    countOrZero,
    '<count>',
    'threads of the local policy (default: one less than the cores; 0: none)',
  ),
}

/** Language models, and the policies that ask them. */
const models = {
  chatUrl: flag(serverAddress, '<url>', 'the server, http://…/v1 (default OPENAI_BASE_URL)'),
  chatModel: flag(text, '<name>', 'the model (QUERENT_CHAT_MODEL, else "default")'),
  chatRetries: key(countOrZero, '<count>', 'retries of a failed request (default 1)'),
  chatTimeout: key(duration, '<duration>', 'longest time for a prompt (3s; 10s to answer; 1m in batches)'),
  fallback: key(
    z.enum(['none', defaultPolicy], `must be none or ${defaultPolicy}`),
    '<policy>',
    `decides if the model fails: none (default), ${defaultPolicy}`,
  ),
  temperature: key(within(0, 2), '<number>', 'of a language model that samples (rollouts: default 0.8)'),
  topP: key(within(0.01, 1), '<share>', 'of its tokens, for nucleus sampling'),
  cache: key(
    cachePlace,
    '<where>',
    'keep completions for each caller: memory, or redis://host:port to share',
  ),
  cacheTimeout: key(duration, '<duration>', 'time for the shared cache (default 250ms)'),
  answer: key(yesOrNo, '', 'false: hits only, from policies that answer questions'),
  longAnswer: key(yesOrNo, '', 'answer in sentences, with marks such as [1]'),
  maxRounds: key(count, '<count>', 'maximum retrieval rounds (c3po 4, sparkle 5, acqo 1)'),
  force: key(
    oneOf(['no-retrieval', 'retrieval', 'planning']),
    '<way>',
    'c3po: always no-retrieval, retrieval or planning',
  ),
  workflow: key(text, '<executors>', 'mao: always these, such as "RA, AG"'),
  maxSteps: key(count, '<count>', 'most thoughts of sparkle (default 8)'),
  triples: flag(text, '<file>', 'facts for sparkle, made by `querent triples`'),
  judgeUrl: key(serverAddress, '<url>', 'the server of a judge of answers (default: chatUrl)'),
  judgeModel: key(text, '<name>', 'the model of a judge of answers (default: none, words are compared)'),
  agentsUrl: key(serverAddress, '<url>', 'another server for the prompts that are trained'),
  agentsModel: key(text, '<name>', 'another model for the prompts that are trained'),
}

/** What listens, and what it tells. */
const serving = {
  target: flag(clusterUrl, '<url>', 'the cluster'),
  host: flag(text, '<address>', 'the address to listen on (default 127.0.0.1: this machine only)'),
  port: flag(
    port,
    '<number>',
    'the port to listen on (serve 8178, mcp 8179, proxy 9292, reward-server 8177; 0: any free port)',
  ),
  hosts: key(names, '<names>', 'host names under which it is reached, beside those of this machine'),
  cors: flag(origins, '<origins>', 'pages that may call it: https://example.org,… or *'),
  sample: yes('serve the sample that comes with Querent, to look around'),
  http: yes('listen on a port, instead of standard input and output'),
  about: flag(text, '<words>', 'what can be found here, for the model that chooses tools'),
  filters: key(yesOrNo, '', 'let callers send filters, in the language of the engine'),
  maxHits: key(count, '<count>', 'most hits that a caller may ask for (default 50)'),
  maxText: key(countOrZero, '<count>', 'characters shown of each document (default 2000)'),
  explain: yes('add an explanation to every response, under the key _querent'),
  inspect: yes('show the latest searches on a page at /_querent/inspect'),
  pageToken: key(secret, '<token>', 'opens the page where other machines reach it (QUERENT_PAGE_TOKEN)'),
  processes: flag(count, '<count>', 'processes that share the port (default 1)'),
  log: flag(
    oneOf(['debug', 'info', 'warn', 'error']),
    '<level>',
    'one line of JSON per search: debug, info, warn, error',
  ),
  logText: key(yesOrNo, '', 'log the words of queries, too'),
  accessLog: key(yesOrNo, '', 'print one line of JSON per request'),
  ca: key(text, '<file>', "the certificate (PEM) of the authority that signed the cluster's"),
  sign: key(text, '<region>', 'sign requests (AWS SigV4) with the AWS_… keys of the environment'),
  signService: key(oneOf(['es', 'aoss']), '<name>', 'es (Amazon OpenSearch Service, the default) or aoss'),
  rules: key(rulesByIndex, '<file.json>', 'other options for some indices, or none of Querent for them'),
  window: key(count, '<count>', 'how deep fused pages go, and how many hits re-ranking reads (default 20)'),
  maxRequests: key(count, '<count>', 'most requests at a time; others get 503 (default 2048)'),
  grace: key(duration, '<duration>', 'time to finish running requests at the end (default 10s)'),
  headersTimeout: key(duration, '<duration>', 'time to receive the head of a request (default 60s)'),
  idleTimeout: key(duration, '<duration>', 'time until an idle client is disconnected (default 60s)'),
  requestTimeout: key(duration, '<duration>', 'how long a request for rewards may take (default 60s)'),
  cacheMb: key(count, '<count>', 'megabytes of cached searches for rewards (default 512)'),
}

/** Files that are read and written. */
const files = {
  out: flag(text, '<path>', 'write this file (index, clicks: this folder)'),
  add: flag(text, '<corpus>', 'add documents to the index; those with a known docid replace the old ones'),
  delete: flag(text, '<file>', 'delete documents first: a docid a line'),
  engine: flag(engineKind, '<kind>', 'a cluster instead of a folder: elasticsearch or opensearch'),
  url: flag(
    clusterUrl,
    '<url>',
    'a node; credentials in it, or QUERENT_ENGINE_API_KEY, _USERNAME and _PASSWORD',
  ),
  name: flag(text, '<index>', 'the name of the index'),
  dense: yes('also embed every document and index the vectors'),
  language: key(
    languageSchema,
    '<language>',
    `of stems and stop words: ${languages.join(', ')} (default english)`,
  ),
  inputFormat: key(
    oneOf(corpusFormats),
    '<format>',
    `${corpusFormats.join(', ')} (default: by the end of the file's name, otherwise jsonl)`,
  ),
  columns: flag(names, '<names>', 'of a table without a line of names: id,text (default: its first line)'),
  idField: flag(text, '<field>', 'the field or column of docids (default _id)'),
  titleField: flag(text, '<field>', 'the field or column of titles (default title)'),
  textField: flag(text, '<field>', 'the field or column of texts (default text)'),
  skipBadLines: key(yesOrNo, '', 'leave out lines that are wrong, and count them'),
  queries: flag(text, '<file>', 'read the queries from this file'),
  qrels: flag(text, '<file>', 'read the judgments from this file'),
  split: flag(text, '<name>', 'which judgments: test, train, dev (default test; to learn train, else test)'),
  run: flag(text, '<file>', 'write the hits as a TREC run'),
  runIn: flag(text, '<file>', 'judge this TREC run, and search nothing'),
  traces: flag(text, '<file>', 'the trace of each search, one JSON object per line'),
  report: flag(text, '<file>', 'write the figures as an HTML page'),
  format: flag(
    oneOf(tableFormats),
    '<format>',
    `how to print the table: ${tableFormats.join(', ')} (default text)`,
  ),
  limit: flag(count, '<count>', 'only the first so many documents or queries'),
  rollouts: flag(text, '<file>', 'a file of `querent rollouts`, in place of a folder'),
}

/** What is measured, and how fast. */
const measuring = {
  metrics: flag(names, '<names>', `metrics (default ${defaultMetrics.join(',')}): ${metricNames.join(', ')}`),
  concurrency: key(count, '<count>', 'searches at a time (default 1, for true latencies; batches 4)'),
}

/** Training of a policy, and judgments from clicks. */
const training = {
  seed: flag(countOrZero, '<number>', 'the same seed gives the same bytes (default 1)'),
  epochs: key(count, '<count>', 'how often the decision sees each query (default 20)'),
  cost: key(
    number.pipe(z.number().min(0, 'must be 0 or more')),
    '<number>',
    'the cost of a sub-query; a higher cost leaves more queries unchanged (default 0)',
  ),
  tauMax: key(
    fraction,
    '<number>',
    'only queries whose tau is at most this: ACQO has 5/3 (default: all queries)',
  ),
  tauMin: key(fraction, '<number>', 'only queries whose tau is at least this (default: no bound)'),
  keepHardest: key(within(0.01, 1), '<share>', 'only this share of the queries, hardest first (default 1)'),
  decision: flag(
    // A file has the name that `--out` of a training must have.
    text.refine(
      (name) => [defaultPolicy, 'none'].includes(name) || /[/\\]|\.json$/.test(name),
      `must be ${defaultPolicy}, none or the file of a policy (a name with / or .json)`,
    ),
    '<policy>',
    `keep its decision and train re-ranking alone: a policy file, ${defaultPolicy} or none`,
  ),
  everyClick: key(yesOrNo, '', 'without dwell times, count every click as satisfied, not only the lowest'),
  events: flag(text, '<file>', 'events (ubi_events) as JSON lines; <log> has the queries (ubi_queries)'),
  queriesIndex: key(text, '<index>', 'the index of the queries (default ubi_queries)'),
  eventsIndex: key(text, '<index>', 'the index of the events (default ubi_events)'),
  actions: key(names, '<names>', 'action_names that count as clicks (default click)'),
  application: key(text, '<name>', 'only what this application logged'),
  since: flag(moment, '<date>', 'only what was logged since then: 2026-01-31, also with a time'),
}

/** Training of language models: rewards, rollouts and exports. */
const trainers = {
  to: flag(text, '<format>', exportNames),
  golds: key(yesOrNo, '', 'false: leave out the relevant documents, which reward-server reads from --qrels'),
  threshold: key(
    number,
    '<number>',
    'keep answers with this reward or more (default: better than the query; of rollouts 1)',
  ),
  agents: key(names, '<names>', 'only the completions of these prompts, such as c3po/filter'),
  maxPaths: key(count, '<count>', 'sft: most paths of a query to imitate (default 4)'),
  forced: key(yesOrNo, '', 'sft: imitate completions that were given rather than sampled, too'),
  balanced: key(names, '<names>', 'steps: at most as many rows of these prompts as of all others'),
  margin: key(number, '<number>', 'preferences: how much more the better one is worth (default 0.5)'),
  stage: key(
    number.pipe(z.union([z.literal(1), z.literal(2)], 'must be 1 or 2')),
    '<1 or 2>',
    "the curriculum's stage. 1: the best set of sub-queries counts; 2: all (default 2)",
  ),
  eta: key(within(0, 1), '<number>', 'η: the weight of each further relevant document (default 0.6)'),
  samples: key(count, '<count>', 'completions of the first prompt, for acqo, mmoa and mao (default 8)'),
  tree: key(yesOrNo, '', 'false: c3po and sparkle as one chain for each query, not as a tree'),
  alpha: key(
    within(0, 1),
    '<number>',
    'the weight of recall for sparkle (default 0.3), or of costs for mao (0.1)',
  ),
  answerRecall: key(yesOrNo, '', 'sparkle: where no document is judged, recall is an answer in the context'),
  prunePenalty: key(
    within(0, 1),
    '<number>',
    'sparkle: what a search costs that finds nothing new (default: none)',
  ),
  maxRuns: key(count, '<count>', 'most leaves of a query (default 64)'),
}

export const table = {
  ...searching,
  ...deciding,
  ...models,
  ...serving,
  ...files,
  ...measuring,
  ...training,
  ...trainers,
}

type Table = typeof table

/** Some settings of the table, in this order. */
export function pick<Name extends keyof Table>(...names: readonly Name[]): Pick<Table, Name> {
  return Object.fromEntries(names.map((name) => [name, table[name]])) as Pick<Table, Name>
}

/** What people type for a setting: its flag, or `--set` with its key. */
export const typedAs = (name: string): string =>
  (table as Readonly<Record<string, Setting>>)[name]?.isFlag === false ? `--set ${name}` : dashed(name)
