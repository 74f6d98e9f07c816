/** Settings that several commands have, in groups as their helps show them. */
import { z } from 'zod'
import { defaultMetrics } from '../../evaluation/default-metrics.ts'
import { enginePrefix } from './engine-definition.ts'
import { setting } from './setting.ts'
import { count, countOrZero, duration, list, lists, names, onePath, port, text } from './setting-kinds.ts'
import {
  defaultFusion,
  defaultPolicy,
  fusionNames,
  metricNames,
  normNames,
  policyNames,
} from './setting-names.ts'

export const flag = (description: string) => setting(z.boolean('must be true or false'), '', description)

export const json = { json: flag('print one JSON document and nothing else') }

const policyFile = 'a file of `querent train`'

export const index = {
  index: setting(onePath, '<dir>', 'the index, made by `querent index`', { isRepeated: true }),
}

export const retrievers = {
  retrievers: setting(
    list,
    '<names>',
    `bm25, dense, or ${enginePrefix}NAME for a cluster of querent.json, with commas between them (default: all that there are)`,
    { isRepeated: true },
  ),
}

export const retrieverSets = {
  retrievers: setting(
    lists,
    '<names>',
    `bm25, dense, or ${enginePrefix}NAME for a cluster of querent.json, with commas between them (default: all that there are)`,
    { isRepeated: true },
  ),
}

export const model = {
  model: setting(
    text,
    '<model>',
    "the embedding model: a name, a folder or openai:NAME (default: the index's)",
  ),
}

export const k = { k: setting(count, '<count>', 'how many hits (default 10)') }

export const history = {
  history: setting(text, '<file>', 'the conversation before the query: [{"role": "user", "text": "…"}, …]'),
}

export const policy = {
  policy: setting(
    text,
    '<policy>',
    `what decides: ${policyNames.join(', ')}, ${policyFile}, or a module (.mjs) that exports a policy (default ${defaultPolicy})`,
  ),
}

export const rerank = {
  rerank: setting(
    z.union([text, z.literal(false)], 'must be a policy, or false'),
    '<policy>',
    `whose re-ranking orders the hits: own (the policy's), none, ${defaultPolicy}, or ${policyFile} (default own)`,
    { negation: 'the same as --rerank none' },
  ),
}

/** What a policy may search. */
export const subQueries = {
  withOriginal: flag('fuse the original query with its sub-queries'),
  maxSecondStage: setting(
    countOrZero,
    '<count>',
    `most sub-queries that ${defaultPolicy} searches (default 12)`,
  ),
  maxSubQueries: setting(count, '<count>', 'most sub-queries of a language model (default 3)'),
}

export const chat = {
  chatUrl: setting(text, '<url>', 'the server, as http://localhost:8000/v1 (default: OPENAI_BASE_URL)'),
  chatModel: setting(text, '<name>', 'the model (default: QUERENT_CHAT_MODEL, else "default")'),
  chatRetries: setting(countOrZero, '<count>', 'how often a failed request is sent again (default 1)'),
  chatTimeout: setting(duration, '<duration>', 'how long an answer may take (default 3s)'),
}

export const fusion = {
  fusion: setting(
    text,
    '<method>',
    `how lists are merged (default ${defaultFusion}): ${fusionNames.join(', ')}`,
  ),
}

export const norm = {
  norm: setting(
    text,
    '<name>',
    `how scores are normalized first: ${normNames.join(', ')} (default: the method's own)`,
  ),
}

export const depth = {
  depth: setting(
    count,
    '<count>',
    'how many hits of each list are fused (default 100, or -k if that is more)',
  ),
}

export const limits = {
  timeout: setting(duration, '<duration>', 'how long a search may take: 500ms, 5s, 2m (default 5s)'),
  legTimeout: setting(duration, '<duration>', 'how long a retriever may take (default 2s)'),
}

export const server = (defaultPort: number) => ({
  host: setting(text, '<address>', 'where the server listens (default 127.0.0.1: this machine alone)'),
  port: setting(port, '<number>', `on which port (default ${defaultPort}; 0: any that is free)`),
})

/** Files that stand in for a collection's own. */
export const files = {
  queries: setting(text, '<file>', "these queries instead of the folder's"),
  qrels: setting(text, '<file>', "these judgments instead of the folder's"),
}

export const judged = {
  split: setting(text, '<name>', 'which judgments: test, train, dev (default test)'),
  ...files,
}

/** A measurement looks further down than a reader. */
export const evaluatedHits = {
  k: setting(count, '<count>', 'how many hits (default 100, or as many as the metrics need)'),
}

export const measuring = {
  metrics: setting(
    names,
    '<names>',
    `what is measured (default ${defaultMetrics.join(',')}): ${metricNames.join(', ')}`,
  ),
  concurrency: setting(count, '<count>', 'how many searches run at a time (default 1: true latencies)'),
}

export const seed = setting(countOrZero, '<number>', 'the same seed gives the same bytes (default 1)')
