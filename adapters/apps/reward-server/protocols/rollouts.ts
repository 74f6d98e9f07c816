/**
 * `POST /v1/rollouts`: explores policies for queries, and returns each completion of an agent with its advantage. The server asks the
 * models that it was started with: a request can name a model on their server, but no other server.
 */
import { z } from 'zod'
import { issuesOf, parseConfig, queryLimit, turns } from '../../../../src/config.ts'
import { QuerentError, toError } from '../../../../src/errors.ts'
import { mapConcurrently } from '../../../../src/runtime/workers.ts'
import { rolloutRows } from '../../../../src/training/export/rollout-rows.ts'
import { rolloutsNamed } from '../../../../src/training/rollouts/by-name.ts'
import type { Golds, RolloutPlan } from '../../../../src/training/rollouts/plan.ts'
import { recordedNodes } from '../../../../src/training/rollouts/record.ts'
import { rollOut } from '../../../../src/training/rollouts/roll-out.ts'
import type { Query } from '../../../../src/types.ts'
import { golds, identifier, listOf, type Protocol, type Rolling, unavailable } from './protocol.ts'

/** Maximum items of one request, and how many are explored at the same time. */
const maxItems = 1024
const concurrency = 8

/** `null` counts as absent. */
const withoutNulls = <Values extends object>(
  values: Values,
): { readonly [Name in keyof Values]?: NonNullable<Values[Name]> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as never

/** The body of a request. Its items are checked one by one: a wrong one gets an error in its own result. */
export const rolloutsRequest = z.object({
  policy: z.string('must be text'),
  settings: z
    .strictObject({
      samples: z.int().positive().max(64).nullish(),
      maxRounds: z.int().positive().max(20).nullish(),
      maxSteps: z.int().positive().max(30).nullish(),
      maxRuns: z.int().positive().max(1024).nullish(),
      temperature: z.number().min(0).max(2).nullish(),
      tree: z.boolean().nullish(),
      alpha: z.number().min(0).max(1).nullish(),
      answerRecall: z.boolean().nullish(),
      prunePenalty: z.number().min(0).nullish(),
    })
    .default({})
    .transform(withoutNulls),
  /** The name of the model to train, such as that of a checkpoint. */
  model: z.string().min(1).nullish(),
  items: listOf(z.unknown(), maxItems),
})

export const rolloutItem = z.object({
  query_id: identifier.nullish(),
  query: z
    .string()
    .max(...queryLimit)
    .regex(/\S/, 'must not be empty')
    .nullish(),
  history: turns.nullish(),
  answers: z.union([z.string().transform((answer) => [answer]), z.array(z.string())]).nullish(),
  ground_truth: golds.nullish(),
})

interface Item {
  readonly query: Query
  readonly golds: Golds
}

export const rollouts: Protocol = async (body, service, signal) => {
  const { rolling, rewards, maxSubQueries } = service
  if (rolling === undefined) {
    throw new QuerentError('bad-config', 'The server was started without a chat model', {
      remedy: 'Start it with --chat-url and --chat-model.',
    })
  }
  const { policy, settings, model, items } = parseConfig(rolloutsRequest, body, 'The request')
  const { temperature, maxRuns, ...exploring } = settings
  const plan = rolloutsNamed(policy, { ...exploring, rewards, maxSubQueries })
  const agents = await rolling.agents(model ?? undefined)

  async function explored(given: unknown): Promise<object | Error> {
    try {
      const { query, golds: known } = readItem(given, rolling!, plan)
      const { retrievers, documents, environment, judge } = rolling!
      const rollingOut = { retrievers, documents, agents, environment, judge, signal }
      const tree = await rollOut(query, known, plan, {
        ...rollingOut,
        ...(temperature !== undefined && { temperature }),
        ...(maxRuns !== undefined && { maxRuns }),
      })
      const nodes = recordedNodes(tree, plan)
      const record = { version: 1 as const, qid: query.qid ?? '', policy, settings: {}, nodes }
      const failed = nodes.filter((node) => node.failed !== undefined).length
      return { leaves: tree.runs, failed_leaves: failed, rows: rolloutRows('steps', record) }
    } catch (thrown) {
      signal.throwIfAborted()
      return toError(thrown)
    }
  }

  const results = await mapConcurrently(items, concurrency, explored)
  return (
    unavailable(results) ?? {
      status: 200,
      body: { results: results.map(resultOf), server: service.server },
    }
  )
}

const nothing = { leaves: null, failed_leaves: null, rows: null }

/** Every result has all keys. */
const resultOf = (result: object | Error): object =>
  result instanceof Error ? { ...nothing, error: result.message } : { ...result, error: null }

/** @throws Error that says what is missing */
function readItem(given: unknown, rolling: Rolling, { needs }: RolloutPlan): Item {
  const parsed = rolloutItem.safeParse(given)
  if (!parsed.success) throw new Error(issuesOf(parsed.error))
  const { query_id: qid, query: text, history, answers, ground_truth } = parsed.data
  const known = qid ? rolling.query(qid) : undefined
  if (typeof text !== 'string' && known === undefined)
    throw new Error(
      qid
        ? `The query ${JSON.stringify(qid)} is unknown: start the server with --queries`
        : 'There is no query',
    )
  const found: Golds = {
    docids: ground_truth ?? known?.golds.docids ?? [],
    answers: answers ?? known?.golds.answers ?? [],
  }
  if (found[needs].length === 0)
    throw new Error(needs === 'answers' ? 'There is no accepted answer' : 'There are no relevant documents')
  const query: Query = {
    ...(known?.query ?? {}),
    ...(typeof text === 'string' && { text, history: history ?? [] }),
    ...(qid && { qid }),
  } as Query
  return { query, golds: found }
}
