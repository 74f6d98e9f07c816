/**
 * Everything a user can set, once: the flags, their help and the keys of `querent.json` are made from this table. A flag
 * is its key in kebab case; a flag wins over the file, and the file over the environment.
 */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { clusterUrl } from '../../../adapters/search/engine/connection.ts'
import { acqoProfiles } from '../../../policies/acqo/rewards.ts'
import { defaultPolicy, policyNames } from '../../../policies/by-name.ts'
import { defaultChoice } from '../../../policies/local/training/defaults.ts'
import { QuerentError } from '../../errors.ts'
import { defaultMetrics } from '../../evaluation/default-metrics.ts'
import { exportNames } from '../../training/export/formats.ts'
import { type EngineDefinitions, engineKind, enginePrefix, withoutEngines } from './engine-definition.ts'
import {
  count,
  countOrZero,
  duration,
  lists,
  names,
  number,
  paths,
  text,
  weights,
  within,
} from './setting-kinds.ts'

const defaultEpochs = defaultChoice.curriculum.stageTwoEpochs
const profileNames = Object.keys(acqoProfiles)

const setting = <S extends z.ZodType>(schema: S, argument: string, description: string): S =>
  schema.meta({ argument, description })

const flag = (description: string) => setting(z.boolean('must be true or false'), '', description)

const shape = {
  index: setting(
    paths,
    '<dir>',
    'the index, made by `querent index` (train: one a collection, in their order)',
  ),
  out: setting(text, '<path>', 'where the result is written'),
  engine: setting(engineKind, '<kind>', 'the kind of cluster: elasticsearch or opensearch'),
  url: setting(clusterUrl, '<url>', 'where the cluster is'),
  name: setting(text, '<index>', 'the index on the cluster'),
  dense: flag('also embed every document and index the vectors (FAISS)'),
  model: setting(
    text,
    '<name or folder>',
    'the embedding model (default all-MiniLM-L6-v2, or the one of the index)',
  ),
  k: setting(
    count,
    '<count>',
    'how many hits (default 10; in evaluate and compare 100, or what the metrics need)',
  ),
  policy: setting(
    text,
    '<name>',
    `what decides about the query: ${policyNames.join(', ')}, or a policy’s file (default ${defaultPolicy})`,
  ),
  policies: setting(
    names,
    '<names>',
    `the policies or policies’ files to compare (default ${defaultPolicy})`,
  ),
  rerank: setting(
    z.union([text, z.literal(false)], 'must be a policy, or false'),
    '<policy>',
    `whose re-ranking orders the hits: ${defaultPolicy}, a policy’s file, own or none (default own; --no-rerank: none). train only takes --no-rerank`,
  ),
  reranks: setting(names, '<names>', 'the re-rankings to compare (default own)'),
  retrievers: setting(
    lists,
    '<names>',
    `which retrievers search: bm25, dense, ${enginePrefix}NAME of a cluster that --config defines (default: all that there are)`,
  ),
  fusion: setting(text, '<name>', 'how lists are merged (default rank-score)'),
  fusions: setting(names, '<names>', 'the fusion methods to compare (default rank-score)'),
  norm: setting(text, '<name>', 'how scores are normalised before (default: the method’s own)'),
  weights: setting(weights, '<numbers>', 'one weight a list'),
  depth: setting(
    count,
    '<count>',
    'how many hits of each list take part (default 100, or -k where that is more; in fuse all)',
  ),
  withOriginal: flag('let the original query vote beside its sub-queries'),
  maxSubQueries: setting(
    count,
    '<count>',
    'how many sub-queries a language model’s answer may hold (default 3); of the local policy see --max-second-stage',
  ),
  maxSecondStage: setting(
    countOrZero,
    '<count>',
    'how many sub-queries the local policy makes of what it found, at the most (default 12)',
  ),
  workers: setting(
    countOrZero,
    '<count>',
    'threads in which the local policy works (default: one less than there are cores; 0: none)',
  ),
  chatUrl: setting(text, '<url>', 'the chat server (default: OPENAI_BASE_URL)'),
  chatModel: setting(text, '<name>', 'its model (default: QUERENT_CHAT_MODEL, else "default")'),
  chatRetries: setting(countOrZero, '<count>', 'how often a failed chat request is sent again (default 1)'),
  chatTimeout: setting(duration, '<duration>', 'how long the chat model may take (default 3s)'),
  legTimeout: setting(duration, '<duration>', 'how long a retriever may take (default 2s)'),
  timeout: setting(
    duration,
    '<duration>',
    'how long a search may take (default 5s), or a request of reward-server (default 60s)',
  ),
  split: setting(text, '<name>', 'the split of the BEIR folder: test, train, dev (search has no use for it)'),
  history: setting(text, '<file>', 'the conversation before the query: [{"role": "user", "text": "…"}, …]'),
  queries: setting(text, '<file>', 'these queries instead of the folder’s'),
  qrels: setting(
    text,
    '<file>',
    'judgements, instead of the folder’s; in reward-server of the queries it is asked about',
  ),
  metrics: setting(names, '<names>', `what is measured (default ${defaultMetrics.join(',')})`),
  run: setting(text, '<file>', 'write the hits as a TREC run'),
  traces: setting(
    text,
    '<file>',
    'what happened in each search, one JSON object a line: written by evaluate, read by export and train',
  ),
  concurrency: setting(count, '<count>', 'how many searches run at a time (default 1: true latencies)'),
  report: setting(
    text,
    '<file>',
    'write the comparison as an HTML page; train holds out a fifth of the queries for it',
  ),
  target: setting(clusterUrl, '<url>', 'the cluster that the proxy stands before'),
  ca: setting(text, '<file>', 'the certificates of who signed the target’s, in PEM'),
  sign: setting(
    text,
    '<region>',
    'sign every request to the target (AWS SigV4) for this region, with the credentials of AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN',
  ),
  signService: setting(
    z.enum(['es', 'aoss'], 'must be es or aoss'),
    '<name>',
    'what is signed for: es (Amazon OpenSearch Service, the default) or aoss (Serverless)',
  ),
  explain: flag('say in every answer what was done, under the key _querent'),
  window: setting(
    count,
    '<count>',
    'how far the fused pages of a search go, and how many hits of each list re-ranking reads (default 100)',
  ),
  host: setting(text, '<address>', 'where the server listens (default 127.0.0.1: this machine alone)'),
  port: setting(
    countOrZero.pipe(z.int().max(65_535, 'must be 65535 or less')),
    '<number>',
    'on which port (default 8178, in reward-server 8177, in proxy 9292; 0 takes any that is free)',
  ),
  profile: setting(
    text,
    '<name>',
    `the paper’s settings for a collection: ${profileNames.join(', ')} (default hotpotqa)`,
  ),
  stage: setting(
    number.pipe(z.union([z.literal(1), z.literal(2)], 'must be 1 or 2')),
    '<1 or 2>',
    'the curriculum’s stage: the best set of sub-queries counts, or all (default 2)',
  ),
  eta: setting(
    within(0, 1),
    '<number>',
    'η: what each further relevant document counts, of the one before (default: the profile’s)',
  ),
  etaStart: setting(
    number.pipe(z.union([z.literal(0), z.literal(1)], 'must be 0 or 1')),
    '<0 or 1>',
    'the exponent of η for the best rank (default 1)',
  ),
  delta: setting(
    number.pipe(z.number().lt(0, 'must be below 0')),
    '<number>',
    'δ: the reward of an answer outside of the grammar (default -0.1)',
  ),
  lambda: setting(
    number.pipe(z.number().min(0, 'must be 0 or more')),
    '<number>',
    'λ: the bonus for the first ranks in stage 2 (default 1)',
  ),
  kStar: setting(countOrZero, '<count>', 'k*: the last rank with a bonus (default: the profile’s)'),
  cacheMb: setting(count, '<count>', 'megabytes of searches that are remembered (default 512)'),
  to: setting(text, '<name>', `for which trainer: ${exportNames.join(', ')}`),
  golds: flag('write which documents are relevant (default; --no-golds: reward-server has them by --qrels)'),
  template: setting(text, '<file>', 'other words for the prompt, with {question} and {context} in them'),
  threshold: setting(
    number,
    '<number>',
    'keep answers with this reward or more (default: those that beat the query as it is)',
  ),
  seed: setting(
    countOrZero,
    '<number>',
    'decides whatever is drawn: the same seed gives the same bytes (default 1)',
  ),
  epochs: setting(
    count,
    '<count>',
    `how often the decision goes through the queries (default ${defaultEpochs})`,
  ),
  cost: setting(
    number.pipe(z.number().min(0, 'must be 0 or more')),
    '<number>',
    'what a sub-query takes from the reward: more leaves more queries alone (default 0)',
  ),
  decision: setting(
    text,
    '<policy>',
    'keep this policy’s decision (a file, local or none) and train re-ranking alone',
  ),
  checkpoint: setting(
    text,
    '<file>',
    'where a training that is stopped is kept (default: --out with .checkpoint)',
  ),
  everyClick: flag(
    'where stays are not known every click satisfied, not only the lowest: for questions that need several documents',
  ),
  resume: flag('go on from the checkpoint of a training that was stopped'),
  json: flag('print one JSON document on stdout and nothing else'),
}

/** A key of the settings; as a flag it is written in kebab case. */
export type SettingName = keyof typeof shape

export const settingNames = Object.keys(shape) as readonly SettingName[]

/** What a user set. An absent key has not been set: whoever needs it knows the default. */
export type Settings = { readonly [Name in SettingName]?: z.output<(typeof shape)[Name]> | undefined } & {
  /** The clusters that the file defines under `retrievers`, by their names. */
  readonly engines?: EngineDefinitions
}

/** How a setting looks on the command line, and what it means. */
export function describeSetting(name: SettingName): { readonly flags: string; readonly description: string } {
  const { argument, description } = shape[name].meta() as { argument: string; description: string }
  const long = name === 'k' ? '-k' : `--${kebabCase(name)}`
  return { flags: argument === '' ? long : `${long} ${argument}`, description }
}

/** Whether a setting is switched off by `--no-` before its name. */
export function isNegatable(name: SettingName): boolean {
  return name === 'rerank' || name === 'golds'
}

/** Whether a flag may be given more than once. */
export function isRepeatable(name: SettingName): boolean {
  return name === 'retrievers' || name === 'index'
}

/** Settings from the flags as they were typed. @throws QuerentError `bad-config`, naming the flag */
export function settingsOfFlags(flags: Readonly<Record<string, unknown>>): Settings {
  return parse(flags, (name) => (name === 'k' ? '-k' : `--${kebabCase(name)}`))
}

/** A text without the byte order mark that some editors put before it. */
export function withoutMark(content: string): string {
  return content.replace(/^\ufeff/, '')
}

/** Settings from a file: any of the keys, in camel case. @throws QuerentError `bad-config`, `missing-file` */
export async function settingsOfFile(path: string): Promise<Settings> {
  const content = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new QuerentError('missing-file', `The configuration file ${path} cannot be read`, { cause })
  })
  let value: unknown
  try {
    value = JSON.parse(withoutMark(content))
  } catch (cause) {
    throw new QuerentError('bad-config', `${path} is not JSON: ${(cause as Error).message}`, {
      remedy: 'Write one JSON object.',
      cause,
    })
  }
  const { engines, others } = withoutEngines(value, path)
  return { ...parse(others, (name) => `${path}: ${name}`), ...(engines && { engines }) }
}

const schema = z.strictObject(shape, 'must be one JSON object').partial()

function parse(value: unknown, place: (name: string) => string): Settings {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => `${place(key)} is not a setting`).join('; ')
    }
    return `${place(String(issue.path[0] ?? 'its content'))} ${issue.message}`
  })
  throw new QuerentError('bad-config', problems.join('; '), {
    ...(parsed.error.issues.some(({ code }) => code === 'unrecognized_keys') && {
      remedy: `The settings are ${settingNames.join(', ')}.`,
    }),
  })
}

function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
