/**
 * `POST /openrlhf`: the remote reward model of OpenRLHF 0.5 to 0.11. `query` holds prompt and answer with special tokens;
 * `labels` are JSON. The lists of the reply are as long as `query`, whichever of them the version reads.
 *
 * `dynamic_filtering` keeps groups by `scores`: the reward as a fraction of the best one, from 0 to 1.
 */
import { z } from 'zod'
import { parseConfig } from '../../../../src/config.ts'
import type { Reward } from '../../../../src/training/rewards/reward.ts'
import type { Rollout } from '../../../../src/training/rewards/scorer.ts'
import { mapYielding } from '../../../../src/training/rewards/yield.ts'
import { answerOf } from '../response-text.ts'
import { labeledRollout, listOf, maxItems, type Protocol, readable, refusal, rewarded } from './protocol.ts'

/** The body of a request. */
export const openrlhfRequest = z
  .object({
    query: listOf(z.string(), maxItems, 'must be a list of texts'),
    prompts: listOf(z.unknown(), maxItems).nullish(),
    labels: listOf(z.unknown(), maxItems).nullish(),
  })
  .refine(
    ({ query, prompts }) => !prompts || prompts.length === query.length,
    'prompts must be as many as query',
  )
  .refine(({ query, labels }) => !labels || labels.length === query.length, 'labels must be as many as query')

export const openrlhf: Protocol = async (body, service, signal) => {
  const { query, prompts, labels } = parseConfig(openrlhfRequest, body, 'The request')
  const read = (text: string, place: number): Rollout | Error => {
    const prompt = prompts?.[place]
    return readable(() =>
      labeledRollout(answerOf(text, typeof prompt === 'string' ? prompt : undefined), labels?.[place]),
    )
  }
  const rollouts = await mapYielding(query, read, signal)
  return rewarded(service, rollouts, signal, refusal, (priced: readonly Reward[]) => ({
    rewards: priced.map(({ score }) => score),
    scores: priced.map(({ acc }) => acc),
    extra_logs: {
      acc: priced.map(({ acc }) => acc),
      format: priced.map(({ format }) => format),
      n_sub: priced.map(({ n_sub }) => n_sub),
    },
  }))
}
