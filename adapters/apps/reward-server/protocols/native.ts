/**
 * `POST /v1/reward`: takes a batch of rollouts and returns rewards and errors, keyed by item. The server does not send the
 * relevant documents.
 */
import { z } from 'zod'
import { acqoProfiles } from '../../../../policies/acqo/rewards.ts'
import { issuesOf, parseConfig } from '../../../../src/config.ts'
import { withoutSpecialTokens } from '../../../../src/text/special-tokens.ts'
import type { Reward } from '../../../../src/training/rewards/reward.ts'
import type { Rollout } from '../../../../src/training/rewards/scorer.ts'
import { mapYielding } from '../../../../src/training/rewards/yield.ts'
import {
  golds,
  identifier,
  listOf,
  maxItems,
  optionsSchema,
  type Protocol,
  profile,
  rewarded,
  unavailable,
} from './protocol.ts'

/** The body of a request. Its items are checked one by one: a wrong one gets an error in its own result. */
export const rewardRequest = z.object({
  profile: profile.nullish(),
  items: listOf(z.unknown(), maxItems),
})

/** `prompt` and `context` are allowed and ignored. */
export const rewardItem = z.object({
  id: z.union([z.string(), z.number()]).nullish(),
  completion: z.string('must be text'),
  ground_truth: golds.nullish(),
  query_id: identifier.nullish(),
  options: optionsSchema.nullish(),
})

export const native: Protocol = async (body, service, signal) => {
  const { profile: name, items } = parseConfig(rewardRequest, body, 'The request')
  const ofProfile = name ? acqoProfiles[name] : {}
  const read = (item: unknown): Rollout | Error => {
    const parsed = rewardItem.safeParse(item)
    if (!parsed.success) return new Error(issuesOf(parsed.error))
    const { completion, ground_truth, query_id, options } = parsed.data
    return {
      completion: withoutSpecialTokens(completion),
      ...(ground_truth && { golds: ground_truth }),
      ...(query_id && { qid: query_id }),
      options: { ...ofProfile, ...options },
    }
  }
  const rollouts = await mapYielding(items, read, signal)
  return rewarded(service, rollouts, signal, unavailable, (rewards) => ({
    results: rewards.map((reward, index) => resultOf(idOf(items[index]) ?? index, reward)),
    server: service.server,
  }))
}

const nothing = { score: null, acc: null, format: null, n_sub: null, ranks: null, best_subset: null }

/** Every result has all keys. */
function resultOf(id: string | number, reward: Reward | Error): object {
  return reward instanceof Error ? { id, ...nothing, error: reward.message } : { id, ...reward, error: null }
}

/** An item's own id, if it has one that JSON can say (1e400 is none). Also used for errors. */
function idOf(item: unknown): string | number | undefined {
  const id: unknown = typeof item === 'object' && item !== null ? Reflect.get(item, 'id') : undefined
  return typeof id === 'string' || Number.isFinite(id) ? (id as string | number) : undefined
}
