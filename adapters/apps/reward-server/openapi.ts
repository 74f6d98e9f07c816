/** The endpoints of the reward server as an OpenAPI document. */
import { z } from 'zod'
import { countOrNone as count } from '../../../src/config.ts'
import type { Reward } from '../../../src/training/rewards/reward.ts'
import {
  answered,
  get,
  jsonBody,
  type OpenApi,
  openApi,
  openApiOperations,
  openApiPath,
  ref,
} from '../http/openapi/document.ts'
import { rewardItem, rewardRequest } from './protocols/native.ts'
import { aggregateRequest, nemoGymRow, searchRequest, verifyRequest } from './protocols/nemo-gym.ts'
import { openrlhfRequest } from './protocols/openrlhf.ts'
import { retrieveRequest } from './protocols/retrieve.ts'
import { rolloutItem, rolloutsRequest } from './protocols/rollouts.ts'
import { slimeRequest } from './protocols/slime.ts'

const description = `Rewards of an index for trainers of language models, as \`querent reward-server\` answers them. The server does not authenticate anyone.

Other paths are answered with 404, other methods with 405, and pages of other sites and host names that are not the server's with 403, each with a \`Failure\`. A request that is not HTTP gets a 400 without a body, one with more than 16 KiB of headers a 431, and one that does not arrive in time a 408.`

const fraction = z.number().min(0).max(1)
const format = z.union([z.literal(0), z.literal(1)])

const server = z.strictObject({
  version: z.string(),
  retriever: z.string(),
  index_digest: z.string(),
  config_digest: z.string(),
})

const rewardShape = {
  score: z.number(),
  acc: fraction,
  format,
  n_sub: count,
  ranks: z.array(z.int().positive().nullable()),
  best_subset: z.array(count),
}

/** Keeps the schema to the type. */
const reward: z.ZodType<Reward> = z.strictObject(rewardShape)

const result = z.union([
  z.strictObject({ id: z.union([z.string(), z.number()]), ...rewardShape, error: z.null() }),
  z.strictObject({
    id: z.union([z.string(), z.number()]),
    ...(Object.fromEntries(Object.keys(rewardShape).map((name) => [name, z.null()])) as {
      [Name in keyof typeof rewardShape]: z.ZodNull
    }),
    error: z.string(),
  }),
])

const row = z.strictObject({
  query_id: z.string(),
  agent: z.string(),
  messages: z.array(z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })),
  completion: z.string(),
  forced: z.boolean(),
  value: z.number(),
  advantage: z.number().exactOptional(),
  tokenIds: z.array(z.int()).exactOptional(),
  logprobs: z.array(z.number()).exactOptional(),
})

const explored = z.union([
  z.strictObject({ leaves: count, failed_leaves: count, rows: z.array(row), error: z.null() }),
  z.strictObject({ leaves: z.null(), failed_leaves: z.null(), rows: z.null(), error: z.string() }),
])

const documentFound = z.strictObject({ id: z.string(), contents: z.string() })
const bestRank = z.int().min(-1).describe('Of a relevant document, from 1; −1 if none was found.')

const answers = {
  Server: server,
  Reward: reward,
  RewardAnswer: z.strictObject({ results: z.array(result), server }),
  RolloutsAnswer: z.strictObject({ results: z.array(explored), server }),
  OpenRlhfAnswer: z.strictObject({
    rewards: z.array(z.number()),
    scores: z.array(fraction),
    extra_logs: z.strictObject({
      acc: z.array(fraction),
      format: z.array(format),
      n_sub: z.array(count),
    }),
  }),
  SlimeAnswer: z.union([
    z.number().describe('The reward.'),
    z
      .strictObject({ score: z.number(), acc: fraction, format, n_sub: count })
      .describe('With `?shape=dict`.'),
  ]),
  RetrieveAnswer: z.strictObject({
    result: z.union([
      z.array(bestRank).describe('With `query_ids`.'),
      // Not a tuple: tools for OpenAPI 3.1 fail on `prefixItems`.
      z
        .array(z.union([z.array(bestRank), z.array(z.array(z.number()))]))
        .length(2)
        .describe('With `query_ids` and `return_scores`: the ranks, and the scores.'),
      z.array(z.array(documentFound)),
      z
        .array(z.array(z.strictObject({ document: documentFound, score: z.number() })))
        .describe('With `return_scores`.'),
    ]),
  }),
  SeedSessionAnswer: z.strictObject({}),
  SearchAnswer: z.strictObject({ documents: z.array(documentFound) }),
  VerifyAnswer: z
    .looseObject({ reward: z.number(), acc: fraction, format, n_sub: count })
    .describe('All that was sent, with the reward.'),
  AggregateMetricsAnswer: z.strictObject({
    group_level_metrics: z.array(z.never()),
    agent_metrics: z.record(z.string(), z.number()),
    key_metrics: z.record(z.string(), z.number()),
  }),
  Failure: z.strictObject({
    error: z.string(),
    errors: z
      .array(z.strictObject({ index: count, error: z.string() }))
      .describe('The items that failed, each by its place in the request.')
      .exactOptional(),
  }),
  Health: z.strictObject({
    status: z.enum(['ok', 'stopping']),
    server,
    settings: z.strictObject({
      rewards: z.record(z.string(), z.number()),
      maxSubQueries: z.int(),
      timeout: z.number(),
    }),
  }),
}

const failure = (meaning: string): object => answered(meaning, ref('Failure'))

const failures = {
  400: failure('The request is wrong: `error` names every wrong place.'),
  413: failure('The body is too large, or asks for too many searches or documents: send fewer items.'),
  415: failure('The body is not JSON by its `content-type`.'),
  500: failure('The server failed.'),
  503: {
    ...failure('A retriever failed, or the server has too much to do or is stopping: try again later.'),
    headers: { 'retry-after': { description: 'Seconds.', schema: { type: 'integer' } } },
  },
  504: failure('The time of a request is over.'),
}

/** Protocols that have no place for the error of an item refuse the request. */
const itemFailures = { ...failures, 422: failure('Items failed: `errors` has each of them.') }

const post = (
  operationId: string,
  summary: string,
  [asked, answer]: readonly [string, string],
  errors: Readonly<Record<string, object>>,
  parameters?: readonly object[],
) => ({
  post: {
    operationId,
    summary,
    requestBody: jsonBody(ref(asked)),
    responses: { 200: answered('The answer.', ref(answer)), ...errors },
    ...(parameters && { parameters }),
  },
})

const shape = {
  name: 'shape',
  in: 'query',
  required: false,
  description: '`dict`: the answer is an object. Otherwise it is the reward.',
  schema: { type: 'string' },
}

/** @param version of Querent */
export const rewardApi = (version: string): OpenApi =>
  openApi({
    title: 'querent reward-server',
    version,
    description,
    requests: {
      RewardRequest: rewardRequest.extend({ items: z.array(rewardItem) }),
      RolloutsRequest: rolloutsRequest.extend({ items: z.array(rolloutItem) }),
      OpenRlhfRequest: openrlhfRequest,
      SlimeRequest: slimeRequest,
      RetrieveRequest: retrieveRequest,
      SeedSessionRequest: nemoGymRow,
      SearchRequest: searchRequest,
      VerifyRequest: verifyRequest,
      AggregateMetricsRequest: aggregateRequest,
    },
    answers,
    paths: {
      '/v1/reward': post(
        'reward',
        'Rewards of completions. A wrong item gets an error in its own result.',
        ['RewardRequest', 'RewardAnswer'],
        failures,
      ),
      '/v1/rollouts': post(
        'rollouts',
        'Explores a policy, and prices each completion of its agents.',
        ['RolloutsRequest', 'RolloutsAnswer'],
        failures,
      ),
      '/openrlhf': post(
        'openrlhf',
        'Rewards, in the protocol of OpenRLHF.',
        ['OpenRlhfRequest', 'OpenRlhfAnswer'],
        itemFailures,
      ),
      '/slime': post(
        'slime',
        'A reward, in the protocol of slime.',
        ['SlimeRequest', 'SlimeAnswer'],
        itemFailures,
        [shape],
      ),
      '/retrieve': post(
        'retrieve',
        'Documents, or ranks of relevant ones, in the protocols of Search-R1 and ConvSearch-R1.',
        ['RetrieveRequest', 'RetrieveAnswer'],
        itemFailures,
      ),
      '/seed_session': post(
        'seedSession',
        'Checks a row, in the protocol of NeMo Gym.',
        ['SeedSessionRequest', 'SeedSessionAnswer'],
        itemFailures,
      ),
      '/search': post(
        'search',
        'Documents for an agent, as a tool of NeMo Gym.',
        ['SearchRequest', 'SearchAnswer'],
        failures,
      ),
      '/verify': post(
        'verify',
        'The reward of a row with its response, in the protocol of NeMo Gym.',
        ['VerifyRequest', 'VerifyAnswer'],
        itemFailures,
      ),
      '/aggregate_metrics': post(
        'aggregateMetrics',
        'The means of rewards, in the protocol of NeMo Gym.',
        ['AggregateMetricsRequest', 'AggregateMetricsAnswer'],
        failures,
      ),
      '/health': get('health', 'What answers: the version, the index and the settings.', {
        200: answered('The server takes requests.', ref('Health')),
        503: answered('It is stopping.', ref('Health')),
      }),
      '/metrics': get('metrics', 'Metrics for Prometheus.', {
        200: answered('The metrics.', { type: 'string' }, 'text/plain'),
      }),
      [openApiPath]: openApiOperations(),
    },
  })
