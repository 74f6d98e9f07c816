/**
 * `POST /slime`: the remote reward model of slime (`--rm-type remote_rm`), one answer per request. The body of the reply is the
 * reward itself. With `?shape=dict` in the URL, it is an object, from which slime reads `--reward-key score`.
 */
import { z } from 'zod'
import { parseConfig } from '../../../../src/config.ts'
import { withoutSpecialTokens } from '../../../../src/text/special-tokens.ts'
import type { Reward } from '../../../../src/training/rewards/reward.ts'
import { labeledRollout, type Protocol, readable, refusal, rewarded } from './protocol.ts'

/** The body of a request. */
export const slimeRequest = z.object({ response: z.string('must be text'), label: z.unknown() })

export const slime: Protocol = async (body, service, signal, { parameters }) => {
  const { response, label } = parseConfig(slimeRequest, body, 'The request')
  const rollout = readable(() => labeledRollout(withoutSpecialTokens(response), label))
  return rewarded(service, [rollout], signal, refusal, (rewards: readonly Reward[]) => {
    const { score, acc, format, n_sub } = rewards[0]!
    return parameters.get('shape') === 'dict' ? { score, acc, format, n_sub } : score
  })
}
