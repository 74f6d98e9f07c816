/** Settings of several commands, grouped as in their help texts. */
import { z } from 'zod'
import { effortNames } from '../../../policies/local/effort.ts'
import { defaultMetrics } from '../../evaluation/default-metrics.ts'
import { tableFormats } from '../output/table-format.ts'
import { enginePrefix } from './engine-definition.ts'
import { setting } from './setting.ts'
import {
  count,
  countOrZero,
  duration,
  fieldsOfFilters,
  limitsOfSearch,
  list,
  lists,
  names,
  onePath,
  origins,
  port,
  pricesOfModels,
  secret,
  serverAddress,
  text,
  within,
} from './setting-kinds.ts'
import {
  defaultFusion,
  defaultPolicy,
  fusionNames,
  metricNames,
  normNames,
  outsideNames,
  policyNames,
} from './setting-names.ts'

export const flag = (description: string) => setting(z.boolean('must be true or false'), '', description)

/** @param page what it opens */
export const pageToken = (page: string) => ({
  pageToken: setting(secret, '<token>', `opens ${page} where other machines reach it (QUERENT_PAGE_TOKEN)`),
})

export const json = { json: flag('print one JSON document and nothing else') }

const policyFile = 'a file of `querent train`'

export const index = {
  index: setting(onePath, '<dir>', 'the index, made by `querent index`', { isRepeated: true }),
}

export const retrievers = {
  retrievers: setting(list, '<names>', `of bm25,dense,${enginePrefix}NAME (default: all of them)`, {
    isRepeated: true,
  }),
}

export const retrieverSets = {
  retrievers: setting(lists, '<names>', `of bm25,dense,${enginePrefix}NAME (default: all of them)`, {
    isRepeated: true,
  }),
}

export const model = {
  model: setting(text, '<model>', 'to embed: a name, a folder or openai:NAME'),
}

export const k = { k: setting(count, '<count>', 'how many hits (default 10)') }

export const history = {
  history: setting(text, '<file>', 'the conversation before: [{"role", "text"}, …]'),
}

export const policy = {
  policy: setting(
    text,
    '<policy>',
    `the policy: ${policyNames.join(', ')}, ${policyFile}, or a module (.mjs) that exports one (default ${defaultPolicy})`,
  ),
}

/** The settings of re-rankers from outside. */
export const outside = {
  rerankUrl: setting(serverAddress, '<url>', 'the server of http (QUERENT_RERANK_URL) or llm'),
  rerankModel: setting(text, '<name>', 'the model of http, onnx (or its folder) or llm'),
  rerankTimeout: setting(duration, '<duration>', 'longest time for http, onnx or llm (default 3s)'),
}

export const rerank = {
  rerank: setting(
    z.union([text, z.literal(false)], 'must be a policy, or false'),
    '<policy>',
    `own (the policy's), none, ${defaultPolicy}, ${policyFile}, or ${outsideNames.join(', ')} (default own)`,
    { negation: 'the same as --rerank none' },
  ),
  ...outside,
}

/** What re-ranking knows of a hit. */
export const confidence = {
  minConfidence: setting(within(0, 1), '<share>', 'leave out hits less likely than this, 0 to 1'),
}

/** What queries may filter by in their words. */
export const filterFields = {
  filterFields: setting(fieldsOfFilters, '<fields>', 'filters in queries: brand,price=EUR, or a .json'),
}

/** What a policy may add to a search. */
export const subQueries = {
  withOriginal: flag('fuse the original query with its sub-queries'),
  template: setting(text, '<file>', 'acqo: your prompt, with {question}, {context}'),
  maxSecondStage: setting(
    countOrZero.pipe(z.int().max(12, 'must be 12 or less')),
    '<count>',
    `most sub-queries of ${defaultPolicy}, 0 to 12 (default 12)`,
  ),
  maxSubQueries: setting(count, '<count>', 'most sub-queries of a language model (default 3)'),
  effort: setting(
    z.enum(effortNames, `must be ${effortNames.join(', ')}`),
    '<word>',
    `how readily ${defaultPolicy} splits: ${effortNames.join(', ')}`,
  ),
}

/** What policies write that answer questions. */
export const answering = {
  answer: {
    schema: z.boolean('must be true or false'),
    argument: '',
    negation: 'hits only, from policies that answer questions',
  },
  longAnswer: flag('answer in sentences, with marks such as [1]'),
  maxRounds: setting(count, '<count>', 'searches of c3po (4), sparkle (5), acqo (1)'),
  force: setting(
    z.enum(['no-retrieval', 'retrieval', 'planning'], 'must be no-retrieval, retrieval or planning'),
    '<way>',
    'c3po: always no-retrieval, retrieval or planning',
  ),
  workflow: setting(text, '<executors>', 'mao: always these, such as "RA, AG"'),
  maxSteps: setting(count, '<count>', 'most thoughts of sparkle (default 8)'),
  triples: setting(text, '<file>', 'facts for sparkle, made by `querent triples`'),
}

export const chat = {
  chatUrl: setting(serverAddress, '<url>', 'the server, http://…/v1 (default OPENAI_BASE_URL)'),
  chatModel: setting(text, '<name>', 'the model (QUERENT_CHAT_MODEL, else "default")'),
  chatRetries: setting(countOrZero, '<count>', 'retries of a failed request (default 1)'),
  chatTimeout: setting(duration, '<duration>', 'longest time for a prompt (3s; 10s to answer)'),
}

export const fallback = {
  fallback: setting(
    z.enum(['none', defaultPolicy], `must be none or ${defaultPolicy}`),
    '<policy>',
    `decides if the model fails: none (default), ${defaultPolicy}`,
  ),
}

/** How chat models sample, where a prompt does not say. */
export const sampling = {
  temperature: setting(within(0, 2), '<number>', 'of a language model that samples'),
  topP: setting(within(0.01, 1), '<share>', 'of its tokens, for nucleus sampling'),
}

/** A language model that judges the answers of policies. */
export const judging = {
  judgeUrl: setting(serverAddress, '<url>', 'the server of a judge of answers (default: --chat-url)'),
  judgeModel: setting(text, '<name>', 'the model of a judge of answers (default: none, words are compared)'),
}

export const fusion = {
  fusion: setting(
    text,
    '<method>',
    `how to fuse the lists (default ${defaultFusion}): ${fusionNames.join(', ')}`,
  ),
}

export const norm = {
  norm: setting(text, '<name>', `normalize scores first: ${normNames.join(', ')}`),
}

export const depth = {
  depth: setting(count, '<count>', 'hits of each list to fuse (100, or -k if larger)'),
}

export const limits = {
  timeout: setting(
    duration,
    '<duration>',
    'longest time for a search: 500ms, 5s, 2m (default 5s, mmoa 20s, c3po and mao 60s, sparkle 90s)',
  ),
  legTimeout: setting(duration, '<duration>', 'longest time for a retriever (default 2s)'),
  budget: setting(limitsOfSearch, '<limits>', 'most cost of a search: asks=6,ms=20000,usd=0.01'),
  prices: setting(pricesOfModels, '<prices>', 'dollars a million tokens: my-model=0.25/2'),
}

export const server = (defaultPort: number) => ({
  host: setting(text, '<address>', 'the address to listen on (default 127.0.0.1: this machine only)'),
  port: setting(port, '<number>', `the port to listen on (default ${defaultPort}; 0: any free port)`),
  hosts: setting(names, '<names>', 'host names under which it is reached, beside those of this machine'),
})

export const cors = setting(origins, '<origins>', 'pages that may call it: https://example.org,… or *')

const levels = ['debug', 'info', 'warn', 'error'] as const

export const logs = {
  log: setting(
    z.enum(levels, `must be one of ${levels.join(', ')}`),
    '<level>',
    `print one line of JSON per search, from this level on: ${levels.join(', ')}`,
  ),
  logText: flag('log the words of queries, too'),
}

/** Files that replace those of a collection. */
export const files = {
  queries: setting(text, '<file>', 'read the queries from this file'),
  qrels: setting(text, '<file>', 'read the judgments from this file'),
}

export const judged = {
  split: setting(text, '<name>', 'which judgments: test, train, dev (default test)'),
  ...files,
}

/** Metrics look at more hits than readers. */
export const evaluatedHits = {
  k: setting(count, '<count>', 'how many hits (default 100, or as many as the metrics need)'),
}

export const measuring = {
  metrics: setting(
    names,
    '<names>',
    `metrics (default ${defaultMetrics.join(',')}): ${metricNames.join(', ')}`,
  ),
  concurrency: setting(count, '<count>', 'searches at a time (default 1, for true latencies)'),
}

export const tables = {
  format: setting(
    z.enum(tableFormats, `must be one of ${tableFormats.join(', ')}`),
    '<format>',
    `how to print the table: ${tableFormats.join(', ')} (default text)`,
  ),
}

export const seed = setting(countOrZero, '<number>', 'the same seed gives the same bytes (default 1)')
