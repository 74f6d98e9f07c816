/**
 * Every setting: how it is read, what it means, and whether it is a flag. A flag is what changes between two runs. All are keys of
 * `querent.json` and of `--set`. Settings that several commands take stand in groups; the others are of single commands.
 */
import { z } from 'zod'
import { clusterUrl } from '../../../adapters/search/cluster/options.ts'
import { languageSchema, languages } from '../../../adapters/search/language.ts'
import { effortNames } from '../../../policies/local/decision/effort.ts'
import { corpusFormats } from '../../evaluation/corpus-formats.ts'
import { defaultMetrics } from '../../evaluation/default-metrics.ts'
import { tableFormats } from '../output/table-format.ts'
import { engineKind, enginePrefix } from './engine-definition.ts'
import type { Setting } from './setting.ts'
import * as kinds from './setting-kinds.ts'
import * as known from './setting-names.ts'

const { count, countOrZero, duration, list, names, number, oneOf, text, within, yesOrNo } = kinds
const { defaultFusion, defaultPolicy, outsideNames } = known

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

/** A flag and a key without a value. */
const yes = (description: string) => flag(yesOrNo, '', description)
const keyed = (description: string) => key(yesOrNo, '', description)

const several = { isRepeated: true }
const rerankers = ['own', 'none', defaultPolicy, ...outsideNames].join(', ')
const sets = number.pipe(z.union([z.literal(1), z.literal(2)], 'must be 1 or 2'))
const below0 = number.pipe(z.number().lt(0, 'must be below 0').min(-1_000_000, 'must be -1000000 or more'))
const upTo12 = countOrZero.pipe(z.int().max(12, 'must be 12 or less'))
// A file has the name that `--out` of a training must have.
const decision = text.refine(
  (name) => [defaultPolicy, 'none'].includes(name) || /[/\\]|\.json$/.test(name),
  `must be ${defaultPolicy}, none or the file of a policy (a name with / or .json)`,
)

export const groups = {
  Index: {
    index: flag(kinds.onePath, '<dir>', 'the index, made by `querent index`', several),
    retrievers: flag(list, '<names>', `of bm25,dense,${enginePrefix}NAME (default: all)`, several),
    model: flag(text, '<model>', 'to embed: a name, a folder or openai:NAME (default all-MiniLM-L6-v2)'),
  },
  Policy: {
    policy: flag(
      text,
      '<policy>',
      `${known.policyNames.join(', ')}, a file of \`querent train\`, or a module (.mjs) (default ${defaultPolicy})`,
    ),
    rerank: flag(
      z.union([text, z.literal(false)], 'must be a policy, or false'),
      '<policy>',
      `${rerankers}, or a file of \`querent train\` (default own: that of the policy)`,
      { negation: 'the same as --rerank none' },
    ),
    fusion: flag(
      text,
      '<method>',
      `how to fuse the lists (default ${defaultFusion}): ${known.fusionNames.join(', ')}`,
    ),
    filterFields: key(kinds.fieldsOfFilters, '<fields>', 'filters in queries: brand,price=EUR, or a .json'),
    relax: key(kinds.relaxing, '<fields>', 'true, or fields: filters that need not hold if nothing is found'),
    recency: key(
      kinds.recencyOf,
      '<field=days>',
      'newer first if asked for: updated=30 or updated=30,always',
    ),
    fallback: key(
      z.enum(['none', defaultPolicy], `must be none or ${defaultPolicy}`),
      '<policy>',
      'decides if the model fails: none (default), local',
    ),
  },
  'Sub-queries': {
    effort: flag(oneOf(effortNames), '<word>', `how often local splits: ${effortNames.join(', ')}`),
    template: flag(text, '<file>', 'acqo: your prompt, with {question}, {context}'),
    withOriginal: keyed('fuse the list of the original query with those of the other searches'),
    maxSecondStage: key(upTo12, '<count>', 'most other searches of local, 0 to 12 (default 12)'),
    maxSubQueries: key(count, '<count>', 'most searches that a language model writes (default 3)'),
    rerankUrl: key(kinds.serverAddress, '<url>', 'the server of --rerank http (QUERENT_RERANK_URL) or llm'),
    rerankModel: key(text, '<name>', 'the model of --rerank http, onnx (or its folder) or llm'),
    rerankTimeout: key(duration, '<duration>', 'its longest time (default 3s)'),
  },
  'Language model': {
    chatUrl: flag(kinds.serverAddress, '<url>', 'the server, http://…/v1 (default OPENAI_BASE_URL)'),
    chatModel: flag(text, '<name>', 'the model (QUERENT_CHAT_MODEL, else "default")'),
    chatRetries: key(countOrZero, '<count>', 'retries of a failed request (default 1)'),
    chatTimeout: key(duration, '<duration>', 'longest time for a prompt (3s; 10s to answer; batches 1m)'),
    maxTokens: key(count, '<count>', 'most completion tokens'),
  },
  Sampling: {
    temperature: key(within(0, 2), '<number>', 'of the language model (rollouts: default 0.8)'),
    topP: key(within(0.01, 1), '<share>', 'of its tokens, for nucleus sampling'),
  },
  Answers: {
    triples: flag(text, '<file>', 'facts for sparkle, made by `querent triples`'),
    answer: keyed('false: hits only, from policies that answer questions'),
    longAnswer: keyed('sentences, with marks such as [1]'),
    maxRounds: key(count, '<count>', 'most rounds (c3po 4, sparkle 5, agentic 2, acqo 1)'),
    force: key(oneOf(['no-retrieval', 'retrieval', 'planning']), '<way>', 'c3po: always this way'),
    askWhen: key(oneOf(['needed', 'always']), '<when>', 'agentic: needed (default) or always'),
    workflow: key(text, '<executors>', 'mao: always these, such as "RA, AG"'),
    maxSteps: key(count, '<count>', 'most thoughts of sparkle (default 8)'),
  },
  Limits: {
    norm: flag(text, '<name>', `normalize scores first: ${known.normNames.join(', ')}`),
    depth: flag(count, '<count>', 'hits of each list to fuse (100, or -k if larger; of runs all)'),
    timeout: flag(
      duration,
      '<duration>',
      'longest search: 500ms, 5s, 2m (default 5s, mmoa 20s, agentic, c3po, mao 60s, sparkle 90s)',
    ),
    budget: flag(kinds.limitsOfSearch, '<limits>', 'most cost of a search: asks=6,ms=20000,usd=0.01'),
    legTimeout: key(duration, '<duration>', 'longest time for a retriever (default 2s)'),
    prices: key(kinds.pricesOfModels, '<prices>', 'dollars a million tokens: my-model=0.25/2'),
  },
  Listening: {
    host: flag(text, '<address>', 'the address to listen on (default 127.0.0.1: this machine only)'),
    port: flag(
      kinds.port,
      '<number>',
      'the port (serve 8178, mcp 8179, proxy 9292, reward-server 8177; 0: any free port)',
    ),
    hosts: key(names, '<names>', 'host names under which it is reached, beside those of this machine'),
  },
  Server: {
    cors: flag(kinds.origins, '<origins>', 'pages that may call it: https://example.org,… or *'),
    log: flag(
      oneOf(['debug', 'info', 'warn', 'error']),
      '<level>',
      'a line of JSON per search, from: debug, info, warn, error',
    ),
    logText: keyed('log the words of queries, too'),
  },
  Judgments: {
    queries: flag(text, '<file>', 'read the queries from this file'),
    qrels: flag(text, '<file>', 'read the judgments from this file'),
    split: flag(
      text,
      '<name>',
      'which judgments: test, train, dev (default test; to learn train, else test)',
    ),
  },
  Judge: {
    judgeUrl: key(kinds.serverAddress, '<url>', 'the server of a judge of answers (default: chatUrl)'),
    judgeModel: key(text, '<name>', 'the model of a judge of answers (default: none, words are compared)'),
  },
  Documents: {
    idField: flag(text, '<field>', 'the field or column of docids (default _id)'),
    titleField: flag(text, '<field>', 'the field or column of titles (default title)'),
    textField: flag(text, '<field>', 'the field or column of texts (default text)'),
    columns: flag(names, '<names>', 'of a table without a line of names: id,text (default: its first line)'),
    inputFormat: key(
      oneOf(corpusFormats),
      '<format>',
      `${corpusFormats.join(', ')} (default: by the file's name)`,
    ),
    skipBadLines: keyed('leave out lines that are wrong, and count them'),
  },
  Rewards: {
    stage: key(sets, '<1 or 2>', '1: the best set of sub-queries counts; 2: all (default 2)'),
    profile: key(
      oneOf(known.profileNames),
      '<name>',
      'the settings of the paper: hotpotqa for several relevant documents, topiocqa for one (default hotpotqa)',
    ),
    eta: key(
      within(0, 1),
      '<number>',
      "η: the weight of each further relevant document (default: the profile's)",
    ),
    kStar: key(countOrZero, '<count>', "k*: the last rank with a bonus in stage 2 (default: the profile's)"),
    lambda: key(within(0, 1_000_000), '<number>', 'λ: the bonus for rank 1, of stage 2 with k* (default 1)'),
    delta: key(below0, '<number>', 'δ: what an answer of the wrong form gets (default -0.1)'),
  },
  'Trained model': {
    agentsUrl: key(kinds.serverAddress, '<url>', 'another server for the prompts that are trained'),
    agentsModel: key(text, '<name>', 'another model for the prompts that are trained'),
  },
}

/** Settings of single commands. */
export const others = {
  json: yes('print one JSON document and nothing else'),
  trace: yes('with --json: the trace, too'),
  k: flag(count, '<count>', 'how many hits (default 10; to measure 100, or what the metrics need)'),
  minConfidence: key(within(0, 1), '<share>', 'leave out hits less likely than this, 0 to 1'),
  history: flag(text, '<file>', 'the conversation before: [{"role", "text"}, …]'),
  explain: yes('add to responses what was done, as _querent'),
  verbose: yes("also the policy's alternatives, and the scores and features of each hit"),
  // Several systems.
  policies: flag(names, '<policies>', `see --policy of search (default ${defaultPolicy})`),
  reranks: flag(names, '<policies>', 'see --rerank of search (default own)'),
  fusions: flag(names, '<methods>', `see --fusion of search (default ${defaultFusion})`),
  metrics: flag(
    names,
    '<names>',
    `metrics (default ${defaultMetrics.join(',')}): ${known.metricNames.join(', ')}`,
  ),
  format: flag(oneOf(tableFormats), '<format>', `how to print the table: ${tableFormats.join(', ')}`),
  run: flag(text, '<file>', 'write the hits as a TREC run'),
  runIn: flag(text, '<file>', 'judge this TREC run, and search nothing'),
  traces: flag(text, '<file>', 'the trace of each search, one JSON object per line'),
  report: flag(text, '<file>', 'write the figures as an HTML page; those with a limit as JUnit (.xml)'),
  baseline: flag(text, '<file>', 'exit with 3 if a metric fell since this was written'),
  tolerance: flag(within(0, 1), '<number>', 'how far a metric may fall below --baseline (default 0.02)'),
  updateBaseline: yes('write --baseline anew'),
  atLeast: flag(kinds.floors, '<metric=value>', 'exit with 3 below this value: ndcg@10=0.42', several),
  concurrency: key(count, '<count>', 'searches at a time (default 1, for true latencies; batches 4)'),
  weights: flag(kinds.weights, '<numbers>', 'one weight per run, separated by commas'),
  // What listens.
  sample: yes('serve the sample that comes with Querent, to look around'),
  processes: flag(count, '<count>', 'processes that share the port (default 1)'),
  pageToken: key(kinds.secret, '<token>', 'opens the page to other machines (QUERENT_PAGE_TOKEN)'),
  accessLog: keyed('print one line of JSON per request'),
  http: yes('listen on a port, instead of standard input and output'),
  about: flag(text, '<words>', 'what can be found here, for the model that chooses tools'),
  filters: keyed('let callers send filters, in the language of the engine'),
  maxHits: key(count, '<count>', 'most hits that a caller may ask for (default 50)'),
  maxText: key(countOrZero, '<count>', 'characters shown of each document (default 2000)'),
  target: flag(clusterUrl, '<url>', 'the cluster'),
  through: flag(clusterUrl, '<url>', 'measure what a running `querent proxy` answers'),
  body: flag(
    text,
    '<file>',
    'the JSON that your application sends, with {query} in it (--through, --target)',
  ),
  inspect: yes('show the latest searches on a page at /_querent/inspect'),
  share: flag(kinds.share, '<share>', 'optimize for this share of the callers: 10% (with --shadow 0)'),
  shareBy: key(text, '<what>', 'tell callers apart by: identity (default), session, or a header'),
  shadow: yes("answer with the engine's own hits, and log what would change"),
  shadowLog: key(text, '<file>', 'the log of --shadow (default querent-shadow.jsonl)'),
  shadowWords: keyed('log the words of searches and the titles of hits, too'),
  interleave: flag(kinds.share, '<share>', 'of these callers get hits of both lists, for their clicks: 20%'),
  offFile: key(text, '<file>', 'while this file exists, all searches pass through (SIGUSR2 does the same)'),
  rules: key(
    kinds.rulesByIndex,
    '<file.json>',
    'other options for some indices, or none of Querent for them',
  ),
  window: key(count, '<count>', 'how deep fused pages go, and how many hits are re-ranked (default 20)'),
  workers: key(countOrZero, '<count>', 'threads of the local policy (default: cores less one; 0: none)'),
  cache: key(kinds.cachePlace, '<where>', 'keep completions for each caller: memory, or redis://host:port'),
  cacheTimeout: key(duration, '<duration>', 'time for the shared cache (default 250ms)'),
  ca: key(text, '<file>', "the certificate (PEM) of the authority that signed the cluster's"),
  sign: key(text, '<region>', 'sign requests (AWS SigV4) with the AWS_… keys of the environment'),
  signService: key(oneOf(['es', 'aoss']), '<name>', 'es (Amazon OpenSearch Service, the default) or aoss'),
  maxRequests: key(count, '<count>', 'most requests at a time; others get 503 (default 2048)'),
  grace: key(duration, '<duration>', 'time to finish running requests at the end (default 10s)'),
  headersTimeout: key(duration, '<duration>', 'time to receive the head of a request (default 60s)'),
  idleTimeout: key(duration, '<duration>', 'time until an idle client is disconnected (default 60s)'),
  requestTimeout: key(duration, '<duration>', 'how long a request for rewards may take (default 60s)'),
  cacheMb: key(count, '<count>', 'megabytes of cached searches for rewards (default 512)'),
  // Files and indexes.
  out: flag(text, '<path>', 'write this file (index, clicks, label: this folder)'),
  add: flag(text, '<corpus>', 'add documents to the index; those with a known docid replace the old ones'),
  delete: flag(text, '<file>', 'delete documents first: a docid a line'),
  vacuum: yes('write the index anew after its changes'),
  dense: yes('also embed every document and index the vectors'),
  language: key(
    languageSchema,
    '<language>',
    `of stems and stop words: ${languages.join(', ')} (default english)`,
  ),
  engine: flag(engineKind, '<kind>', 'a cluster instead of a folder: elasticsearch or opensearch'),
  url: flag(clusterUrl, '<url>', 'a node; credentials in it, or in QUERENT_ENGINE_…'),
  name: flag(text, '<index>', 'the name of the index'),
  limit: flag(count, '<count>', 'only the first so many documents or queries'),
  // Training of a policy, and judgments from clicks.
  seed: flag(countOrZero, '<number>', 'the same seed gives the same bytes (default 1)'),
  tauMax: key(kinds.fraction, '<number>', 'only queries whose tau is at most this: ACQO has 5/3'),
  tauMin: key(kinds.fraction, '<number>', 'only queries whose tau is at least this'),
  keepHardest: key(within(0.01, 1), '<share>', 'only this share of the queries, hardest first (default 1)'),
  decision: flag(
    decision,
    '<policy>',
    'keep its decision and train re-ranking alone: a policy file, local or none',
  ),
  everyClick: keyed('without dwell times, count every click as satisfied, not only the lowest'),
  events: flag(text, '<file>', 'events (ubi_events) as JSON lines; <log> has the queries (ubi_queries)'),
  clicks: flag(text, '<file>', 'lines of {"qid", "docid"}, or of ubi_events'),
  queriesIndex: key(text, '<index>', 'the index of the queries (default ubi_queries)'),
  eventsIndex: key(text, '<index>', 'the index of the events (default ubi_events)'),
  actions: key(names, '<names>', 'action_names that count as clicks (default click)'),
  application: key(text, '<name>', 'only what this application logged'),
  since: flag(kinds.moment, '<date>', 'only what was logged since then: 2026-01-31, also with a time'),
  // Judgments of a language model.
  rubric: key(text, '<file>', "what label's grades 0 to 3 mean, in your words"),
  yes: yes('spend what was said, without a question'),
  // Trainers of language models.
  to: flag(text, '<format>', known.exportNames),
  rollouts: flag(text, '<file>', 'a file of `querent rollouts`, in place of a folder'),
  golds: keyed('false: leave out the relevant documents, which reward-server reads from --qrels'),
  threshold: key(
    number,
    '<number>',
    'keep answers with this reward (default: better than the query; rollouts 1)',
  ),
  agents: key(names, '<names>', 'only the completions of these prompts, such as c3po/filter'),
  maxPaths: key(count, '<count>', 'sft: most paths of a query to imitate (default 4)'),
  forced: keyed('sft: imitate completions that were given rather than sampled, too'),
  balanced: key(names, '<names>', 'steps: at most as many rows of these prompts as of all others'),
  margin: key(number, '<number>', 'preferences: how much more the better one is worth (default 0.5)'),
  samples: key(count, '<count>', 'first completions (acqo, mmoa, mao 8, agentic 4)'),
  tree: keyed('false: c3po and sparkle as one chain for each query, not as a tree'),
  alpha: key(within(0, 1), '<number>', 'weight of recall (sparkle, agentic 0.3), costs (mao 0.1)'),
  answerRecall: keyed('sparkle: where no document is judged, recall is an answer in the context'),
  prunePenalty: key(within(0, 1), '<number>', 'sparkle: what a search costs that finds nothing new (none)'),
  maxRuns: key(count, '<count>', 'most leaves of a query (default 64)'),
}

type Merged<All> = { [Name in keyof All]: (all: All[Name]) => void }[keyof All] extends (
  all: infer Both,
) => void
  ? Both
  : never

export const table = Object.assign({}, others, ...Object.values(groups)) as typeof others &
  Merged<typeof groups>

type Table = typeof table

/** Some settings of the table, in this order. */
export function pick<Name extends keyof Table>(...names: readonly Name[]): Pick<Table, Name> {
  return Object.fromEntries(names.map((name) => [name, table[name]])) as Pick<Table, Name>
}
