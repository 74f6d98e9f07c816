/** Settings of `querent proxy`. */
import { z } from 'zod'
import { clusterUrl } from '../../../adapters/search/cluster/connection.ts'
import { type CommandSettings, setting, type ValuesOf } from './setting.ts'
import { cachePlace, count, countOrZero, duration, rulesByIndex, text } from './setting-kinds.ts'
import * as shared from './shared-settings.ts'

export const defaultPort = 9292

const groups = {
  Basic: {
    target: setting(clusterUrl, '<url>', 'the cluster'),
    ...shared.server(defaultPort),
    cors: shared.cors,
    processes: setting(count, '<count>', 'processes that share the port (default 1)'),
    explain: shared.flag('add an explanation to every response, under the key _querent'),
    inspect: shared.flag('show the latest searches on a page at /_querent/inspect'),
    ...shared.pageToken('the page of --inspect'),
    metrics: shared.flag('answer GET /_querent/metrics, for Prometheus'),
    ...shared.logs,
  },
  'Connection to the cluster': {
    ca: setting(text, '<file>', "the certificate (PEM) of the authority that signed the cluster's"),
    sign: setting(
      text,
      '<region>',
      'sign requests (AWS SigV4) with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN',
    ),
    signService: setting(
      z.enum(['es', 'aoss'], 'must be es or aoss'),
      '<name>',
      'es (Amazon OpenSearch Service, the default) or aoss (Serverless)',
    ),
  },
  Deciding: {
    ...shared.policy,
    ...shared.rerank,
    ...shared.subQueries,
    ...shared.filterFields,
    rules: setting(
      rulesByIndex,
      '<file.json>',
      'other options for some indices, or none of Querent for them',
    ),
    workers: setting(
      countOrZero,
      '<count>',
      'threads of the local policy (default: one less than the cores; 0: none)',
    ),
  },
  'Language model': {
    ...shared.chat,
    ...shared.fallback,
    ...shared.sampling,
    cache: setting(
      cachePlace,
      '<where>',
      'keep completions for each caller: memory, or redis://host:port, which several copies share',
    ),
    cacheTimeout: setting(duration, '<duration>', 'time for the shared cache (default 250ms)'),
  },
  Fusion: {
    ...shared.fusion,
    window: setting(
      count,
      '<count>',
      'how deep fused pages go, and how many hits of the original search re-ranking reads (default 20)',
    ),
  },
  Limits: {
    legTimeout: shared.limits.legTimeout,
    budget: shared.limits.budget,
    prices: shared.limits.prices,
    maxRequests: setting(count, '<count>', 'most requests at a time; others get 503 (default 2048)'),
    grace: setting(
      duration,
      '<duration>',
      'time to finish running requests when the proxy stops (default 10s)',
    ),
    headersTimeout: setting(duration, '<duration>', 'time to receive the head of a request (default 60s)'),
    idleTimeout: setting(duration, '<duration>', 'time until an idle client is disconnected (default 60s)'),
  },
}

export type ProxySettings = ValuesOf<typeof groups>

export const proxySettings = {
  groups,
  examples: [
    ['querent proxy --target http://127.0.0.1:9200', `point your clients to http://127.0.0.1:${defaultPort}`],
    ['querent proxy --target https://search.example.com --ca ca.pem --no-rerank', 'without re-ranking'],
    ['querent proxy --target http://127.0.0.1:9200 --policy acqo', 'a language model decides'],
    ['querent proxy --target http://127.0.0.1:9200 --inspect', 'look at searches in a browser'],
    ['querent proxy --target https://search.example.com --sign eu-central-1', 'Amazon OpenSearch Service'],
  ],
} satisfies CommandSettings
