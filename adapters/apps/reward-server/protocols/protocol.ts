/** Shared parts of the protocols. */
import { z } from 'zod'
import { acqoProfiles } from '../../../../policies/acqo/rewards.ts'
import { issuesOf } from '../../../../src/config.ts'
import { isQuerentError } from '../../../../src/errors.ts'
import type { Judge } from '../../../../src/evaluation/answer-metrics.ts'
import type { Reward, ServedRewardOptions } from '../../../../src/training/rewards/reward.ts'
import type { Rollout, RolloutScorer } from '../../../../src/training/rewards/scorer.ts'
import type { Searcher } from '../../../../src/training/rewards/searcher.ts'
import type { Golds } from '../../../../src/training/rollouts/plan.ts'
import type { ChatModel, FindDocuments, Query, Retriever } from '../../../../src/types.ts'

/** What a protocol needs to answer a request. */
export interface Service {
  readonly scorer: RolloutScorer
  readonly searcher: Searcher
  /** The options of rewards, unless a request has its own. */
  readonly rewards: ServedRewardOptions
  readonly maxSubQueries: number
  readonly tasks: Tasks
  /** Absent: the server has no chat model. */
  readonly rolling?: Rolling
  /** The index, version and settings of the server. */
  readonly server: ServerIdentity
  /** The texts of documents, with the title in the first line as in Search-R1. `undefined` if a document is not in the index. */
  readonly contentsOf: (docids: readonly string[]) => Promise<readonly (string | undefined)[]>
}

/** The server's queries, in their order. */
interface Tasks {
  /** Those with relevant documents. */
  readonly judged: readonly Query[]
  /** Those with accepted answers. */
  readonly answered: readonly Query[]
  /** The accepted answers to a query. */
  readonly accepted: (qid: string) => readonly string[]
}

/** What rollouts are made with. */
export interface Rolling {
  readonly retrievers: readonly Retriever[]
  readonly documents: FindDocuments
  readonly environment: ChatModel
  /** The model to train: that with this name on its server. Default: the one that the server was started with. */
  readonly agents: (model?: string) => ChatModel | Promise<ChatModel>
  readonly judge: Judge | undefined
  /** A query of the server's files, and what is known of it. */
  readonly query: (qid: string) => { readonly query: Query; readonly golds: Golds } | undefined
}

interface ServerIdentity {
  readonly version: string
  /** The retrievers' names, joined by `+`. */
  readonly retriever: string
  readonly index_digest: string
  readonly config_digest: string
}

/** The answer of a protocol. */
export interface Reply {
  readonly status: number
  readonly body: unknown
  /** In place of the body, where that is not JSON. */
  readonly text?: { readonly type: string; readonly content: string }
  readonly headers?: Readonly<Record<string, string>>
  /** The results of the rollouts, for the metrics. */
  readonly rollouts?: readonly (Reward | Error)[]
  /** What the server could not do, for its operator. */
  readonly failure?: string
}

/** For answers that may be different a second later. */
export const retryLater: Readonly<Record<string, string>> = { 'retry-after': '1' }

/** What a request says beside its body. */
export interface Where {
  readonly parameters: URLSearchParams
  /** The header `x-session-id`. */
  readonly session?: string | undefined
}

/**
 * Answers a request. Without a body, it is undefined.
 *
 * @throws QuerentError `bad-config` for a body of the wrong shape
 */
export type Protocol = (body: unknown, service: Service, signal: AbortSignal, where: Where) => Promise<Reply>

/** Trainers may send integers as identifiers. A missing column becomes `null`. */
export const identifier = z.union([z.string(), z.int().transform(String)], 'must be text')

/** Maximum items of one request. */
export const maxItems = 32_768

/** Maximum relevant documents of one query. */
const maxGolds = 10_000

/** A list whose length is checked before its entries: the errors of millions of entries would fill the memory. */
export const listOf = <T extends z.ZodType>(entry: T, maxEntries: number, what = 'must be a list') =>
  z.preprocess((given, { addIssue }) => {
    if (Array.isArray(given) && given.length > maxEntries) {
      addIssue({ code: 'custom', message: `has more than ${maxEntries} entries: send fewer at a time` })
      return z.NEVER
    }
    return given
  }, z.array(entry, what).max(maxEntries))

export const golds = z
  .union(
    [identifier.transform((docid) => [docid]), listOf(identifier, maxGolds)],
    'must be a docid or a list of docids',
  )
  .transform((docids) => docids.filter((docid) => docid !== ''))

const profileNames = Object.keys(acqoProfiles) as (keyof typeof acqoProfiles)[]

export const profile = z.enum(profileNames, `must be ${profileNames.join(' or ')}`)

/** The largest δ and λ of a request. With far larger ones, rewards would not be finite numbers. */
const largest = 1_000_000

/** The options of a rollout. `null` counts as absent. */
export const optionsSchema = z
  .strictObject({
    stage: z.union([z.literal(1), z.literal(2)], 'must be 1 or 2').nullish(),
    eta: z.number().min(0).max(1).nullish(),
    etaStart: z.union([z.literal(0), z.literal(1)], 'must be 0 or 1').nullish(),
    delta: z.number().lt(0, 'must be below 0').min(-largest, `must be ${-largest} or more`).nullish(),
    lambda: z.number().min(0).max(largest, `must be ${largest} or less`).nullish(),
    kStar: z.int().min(0).nullish(),
    topk: z.int().min(1).max(1000).nullish(),
  })
  .transform((options): ServedRewardOptions => {
    return Object.fromEntries(
      Object.entries(options).filter(([, value]) => value !== null && value !== undefined),
    )
  })

/** The label column of OpenRLHF and slime: JSON with the query's id, its relevant documents, or both. */
const labelSchema = z.object({
  query_id: identifier.nullish(),
  gold: golds.nullish(),
  options: optionsSchema.nullish(),
})

/**
 * A rollout with the data of its label.
 *
 * @param label JSON, or its parsed value
 * @throws Error that says what is wrong with the label
 */
export function labeledRollout(completion: string, label: unknown): Rollout {
  if (label === undefined || label === null || label === '') {
    throw new Error("there is no label; name its column in the trainer's settings")
  }
  let value = label
  if (typeof label === 'string') {
    try {
      value = JSON.parse(label)
    } catch (cause) {
      throw new Error('the label is not JSON; `querent export` writes labels', { cause })
    }
  }
  const parsed = labelSchema.safeParse(value)
  if (!parsed.success) throw new Error(`the label is wrong: ${issuesOf(parsed.error)}`)
  const { query_id: qid, gold, options } = parsed.data
  return { completion, ...(qid && { qid }), ...(gold && { golds: gold }), ...(options && { options }) }
}

/**
 * Answers with the rewards of rollouts. A rollout that could not be read keeps its error.
 *
 * @param refuse the refusal of all of them, if their errors are reason enough
 */
export async function rewarded<Priced extends Reward | Error>(
  { scorer }: Service,
  rollouts: readonly (Rollout | Error)[],
  signal: AbortSignal,
  refuse: (rewards: readonly (Reward | Error)[]) => Reply | undefined,
  bodyOf: (rewards: readonly Priced[]) => unknown,
): Promise<Reply> {
  const readable = rollouts.filter((rollout): rollout is Rollout => !(rollout instanceof Error))
  const scored = (await scorer.score(readable, signal)).values()
  const rewards = rollouts.map((rollout) => (rollout instanceof Error ? rollout : scored.next().value!))
  const refused = refuse(rewards)
  return { ...(refused ?? { status: 200, body: bodyOf(rewards as Priced[]) }), rollouts: rewards }
}

/** A rollout, or the error that `read` threw. */
export function readable(read: () => Rollout): Rollout | Error {
  try {
    return read()
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error(String(thrown))
  }
}

/** For protocols without a place for an error: if any value is an error, refuses the whole request and names all errors. */
export function refusal(values: readonly unknown[]): Reply | undefined {
  const errors = errorsOf(values, () => true)
  return unavailable(values) ?? (errors && { status: 422, body: errors })
}

/**
 * For every protocol: a failed retriever is not the client's fault, and the same request may succeed the next time. The shims
 * retry after a 503. The error of an item ends the training.
 */
export function unavailable(values: readonly unknown[]): Reply | undefined {
  const errors = errorsOf(values, (error) => isQuerentError(error, 'retriever-failed'))
  return errors && { status: 503, body: errors, headers: retryLater, failure: errors.error }
}

/** The first of these errors, and all of them with their positions. */
function errorsOf(values: readonly unknown[], wanted: (error: Error) => boolean) {
  const errors = values.flatMap((value, index) =>
    value instanceof Error && wanted(value) ? [{ index, error: value.message }] : [],
  )
  return errors.length === 0 ? undefined : { error: errors[0]!.error, errors }
}
