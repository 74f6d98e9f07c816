/**
 * NeMo Gym's seed and verify protocol: `POST /seed_session`, the tool `POST /search`, `POST /verify` and
 * `POST /aggregate_metrics`. A row of the data set says what is rewarded: ACQO's rewrite, the documents that an agent keeps, or its answer.
 *
 * There are no sessions: a request to verify holds the row and all calls. Its searches are made once more, out of the cache, so
 * no reward depends on what a client says that a search showed.
 */
import { z } from 'zod'
import { acqoProfiles } from '../../../../policies/acqo/rewards.ts'
import { parseConfig, queryLimit } from '../../../../src/config.ts'
import { QuerentError, toError } from '../../../../src/errors.ts'
import { mean } from '../../../../src/learn/statistics.ts'
import { answerF1 } from '../../../../src/text/answer.ts'
import { withoutSpecialTokens } from '../../../../src/text/special-tokens.ts'
import { keptReward, malformedReward, type Reward } from '../../../../src/training/rewards/reward.ts'
import {
  golds,
  identifier,
  listOf,
  maxItems,
  optionsSchema,
  type Protocol,
  profile,
  refusal,
  type Service,
} from './protocol.ts'
import { documentsOf, merged } from './retrieve.ts'

/** Documents that a search shows, unless it says how many. */
const defaultDocuments = 5

/** The arguments of the tool. Others that a model makes up are ignored. */
export const searchRequest = z.object({
  query: z
    .string('must be text')
    .max(...queryLimit)
    .regex(/\S/, 'must not be empty'),
  k: z.int().min(1).max(50).nullish(),
})

/** A row of the data set. Its other columns come back as they are. */
export const nemoGymRow = z.object({
  responses_create_params: z.record(z.string(), z.unknown()),
  query_id: identifier.nullish(),
  ground_truth: golds.nullish(),
  /** Accepted answers. */
  answers: z.union([z.string().transform((answer) => [answer]), z.array(z.string())]).nullish(),
  reward_for: z
    .enum(['rewrite', 'documents', 'answer'], 'must be rewrite, documents or answer')
    .nullish()
    .transform((given) => given ?? 'rewrite'),
  profile: profile.nullish(),
  options: optionsSchema.nullish(),
})

/** What the model said and called, of OpenAI's Responses. */
const outputItem = z.looseObject({
  type: z.string().nullish(),
  name: z.string().nullish(),
  arguments: z.string().nullish(),
})
export type OutputItem = z.infer<typeof outputItem>

export const verifyRequest = nemoGymRow.extend({
  response: z.looseObject({ output: listOf(outputItem, maxItems) }),
})

export const aggregateRequest = z.object({
  verify_responses: listOf(z.record(z.string(), z.unknown()), maxItems),
})

/** What decides about the reward of an episode. */
type Row = Omit<z.infer<typeof nemoGymRow>, 'responses_create_params'>

/** Refuses a row that could not be rewarded, before a model spends its time on it. */
export const seedSession: Protocol = async (body, service) => {
  const row = parseConfig(nemoGymRow, body, 'The request')
  try {
    expectedOf(row, service)
    return { status: 200, body: {} }
  } catch (thrown) {
    return refusal([toError(thrown)])!
  }
}

export const search: Protocol = async (body, service, signal) => {
  const { query, k } = parseConfig(searchRequest, body, 'The request')
  const asked = { text: query, k: k ?? defaultDocuments }
  const [found] = await service.searcher.search([asked], signal)
  if (found instanceof Error) return refusal([found])!
  const [documents] = await documentsOf([merged(found!, asked.k)], service, signal)
  return { status: 200, body: { documents } }
}

export const verify: Protocol = async (body, service, signal) => {
  const { response, ...row } = parseConfig(verifyRequest, body, 'The request')
  const reward = await rewardOf(row, response.output, service, signal)
  if (reward instanceof Error) return { ...refusal([reward])!, rollouts: [reward] }
  const { score, acc, format, n_sub } = reward
  return { status: 200, body: { ...(body as object), reward: score, acc, format, n_sub }, rollouts: [reward] }
}

/** The means over all rollouts, under the names that NeMo Gym logs. */
export const aggregateMetrics: Protocol = async (body) => {
  const { verify_responses } = parseConfig(aggregateRequest, body, 'The request')
  const means = ['reward', 'acc', 'format', 'n_sub'].flatMap((name) => {
    const values = verify_responses.map((one) => one[name]).filter((value) => typeof value === 'number')
    return values.length === 0 ? [] : [[`mean/${name}`, mean(values)]]
  })
  const metrics: object = Object.fromEntries(means)
  return { status: 200, body: { group_level_metrics: [], agent_metrics: metrics, key_metrics: metrics } }
}

/** What a row's reward is compared with: accepted answers, or docids. @throws QuerentError `bad-config` if there are none */
function expectedOf(
  { reward_for, answers, ground_truth, query_id }: Row,
  { scorer }: Service,
): readonly string[] {
  if (reward_for !== 'answer')
    return scorer.relevantTo({
      ...(ground_truth && { golds: ground_truth }),
      ...(query_id && { qid: query_id }),
    })
  if (answers && answers.length > 0) return answers
  throw new QuerentError('bad-config', 'There is no accepted answer', { remedy: 'Send answers along.' })
}

/** The reward of an episode. It must be known to the server what is relevant. */
export async function rewardOf(
  row: Row,
  output: readonly OutputItem[],
  service: Service,
  signal: AbortSignal,
): Promise<Reward | Error> {
  const { reward_for, profile: name } = row
  const options = { ...(name && acqoProfiles[name]), ...row.options }
  const completion = withoutSpecialTokens(endOf(output))
  try {
    const expected = expectedOf(row, service)
    if (reward_for === 'rewrite')
      return (await service.scorer.score([{ completion, golds: expected, options }], signal))[0]!
    const rewards = { ...service.rewards, ...options }
    const { documents, answer } = endSchema.catch({}).parse(jsonOf(completion))
    const shown = await shownTo(output, service, signal)
    if (reward_for === 'answer') {
      if (answer === undefined) return malformedReward([], rewards)
      const score = Math.round(answerF1(answer, expected) * 1e6) / 1e6
      return { score, acc: score, format: 1, n_sub: shown.length, ranks: [], best_subset: [] }
    }
    const known = new Set(shown.flat())
    // A model must not learn docids by heart.
    if (documents?.every((docid) => known.has(docid)) !== true) return malformedReward(expected, rewards)
    return keptReward([...new Set(documents)], shown.length, expected, rewards)
  } catch (thrown) {
    signal.throwIfAborted()
    return toError(thrown)
  }
}

/** The last message of an agent: JSON, with nothing around it. `documents`: docids, the most useful first. */
const endSchema = z.object({ documents: z.array(identifier).optional(), answer: z.string().optional() })

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const parts = z.array(z.looseObject({ text: z.string().catch('') })).catch([])

/** The text behind the last call. */
function endOf(output: readonly OutputItem[]): string {
  const isMessage = ({ type }: OutputItem): boolean => type === 'message'
  const end = output.slice(output.findLastIndex(({ type }) => type?.startsWith('function_call')) + 1)
  return end
    .filter(isMessage)
    .flatMap(({ content }) =>
      typeof content === 'string' ? [content] : parts.parse(content).map(({ text }) => text),
    )
    .join('')
}

/** The docids that each search of the agent showed. @throws the error of the retriever */
async function shownTo(
  output: readonly OutputItem[],
  { searcher }: Service,
  signal: AbortSignal,
): Promise<readonly (readonly string[])[]> {
  const calls = output.filter(({ type, name }) => type === 'function_call' && name === 'search')
  const asked = calls.flatMap((call) => {
    const { data } = searchRequest.safeParse(jsonOf(call.arguments ?? ''))
    return data === undefined ? [] : [{ text: data.query, k: data.k ?? defaultDocuments }]
  })
  const found = await searcher.search(asked, signal)
  return found.map((lists, place) => {
    if (lists instanceof Error) throw lists
    return merged(lists, asked[place]!.k).map(({ docid }) => docid)
  })
}
