/**
 * PPO as in C-3PO (A.1), SPARKLE (C), MMOA-RAG (4.4) and MAO-ARAG (3.3). The last token of an answer gets the reward, minus
 * a penalty for the change of the answer's likelihood. Generalized advantage estimation distributes it over the tokens. The
 * losses of policy and critic are clipped. C-3PO and MAO-ARAG do not specify all of ε, γ, λ and β; the defaults are
 * MMOA-RAG's.
 */

import { checkOption } from '../learn/check-option.ts'
import type { Clip } from './advantage.ts'

/**
 * The bounds that make `clipLoss` PPO's loss: ε = 0.2 on both sides and no dual clip. C-3PO eq. 9, MMOA-RAG eq. 12 and
 * MAO-ARAG eq. 8 are objectives to maximize, though the latter two are called losses; `clipLoss` has the sign of a loss.
 */
export const ppoClip: Required<Clip> = { low: 0.2, high: 0.2, dual: Number.POSITIVE_INFINITY }

/**
 * The reward of the last token: R − β log(π / π_ref). The tokens before it have reward 0. MMOA-RAG eq. 16, with R of eq. 3,
 * 6 or 9; MAO-ARAG eq. 9, with R of eq. 6. The value is unbounded, since the log ratio is.
 *
 * @param logRatio log π(answer) − log π_ref(answer); the reference is the model before reinforcement learning
 * @param beta at least 0; see `nextBeta`
 * @example terminalReward(0.8, { beta: 0.2, logRatio: 0.5 }) // 0.7
 * @throws QuerentError `bad-config` for a negative β
 */
export function terminalReward(
  reward: number,
  { beta, logRatio }: { readonly beta: number; readonly logRatio: number },
): number {
  checkOption('beta', beta, beta >= 0, '0 or more')
  return reward - beta * logRatio
}

/** How β adapts to the KL divergence. */
export interface AdaptiveBeta {
  /** The target divergence in nats per answer, above 0. Default: 6, as in TRL. */
  readonly target?: number
  /** Number of answers within which β changes by at most a fifth, above 0. Default: 10,000, as in TRL. */
  readonly horizon?: number
  /** β_min, at least 0. Default: 0.06, as in MMOA-RAG; the authors' code uses 0.05. */
  readonly least?: number
  /** β_max. Default: none. MMOA-RAG calls 0.2 the maximum; Querent uses it as the first β instead. */
  readonly most?: number
}

/**
 * β of the next step: β (1 + clip(KL / target − 1, ±0.2) · answers / horizon), within its bounds. MMOA-RAG's Table 2 gives
 * β_max = 0.2 and β_min = 0.06, but no schedule. Its code uses TRL's adaptive controller (Ziegler et al., "Fine-tuning
 * language models from human preferences", 2019, section 2.2) with a lower bound.
 *
 * @param beta β of this step. The first is 0.2.
 * @param seen the mean KL divergence of this step's answers, and the number of answers
 * @example nextBeta(0.2, { kl: 12, answers: 1000 }) // twice the target: 0.2 · (1 + 0.2 · 1/10) = 0.204
 * @throws QuerentError `bad-config` for an option out of range
 */
export function nextBeta(
  beta: number,
  { kl, answers }: { readonly kl: number; readonly answers: number },
  { target = 6, horizon = 10_000, least = 0.06, most = Number.POSITIVE_INFINITY }: AdaptiveBeta = {},
): number {
  checkOption('target', target, target > 0, 'above 0')
  checkOption('horizon', horizon, horizon > 0, 'above 0')
  checkOption('least', least, least >= 0, '0 or more')
  checkOption('most', most, most >= least, '`least` or more')
  const error = clip(kl / target - 1, -0.2, 0.2)
  return clip(beta * (1 + (error * answers) / horizon), least, most)
}

/**
 * Generalized advantage estimates of the tokens of one answer, and the returns that the critic learns. Advantages are A_t =
 * Σ (γλ)^l δ_t+l with δ_t = r_t + γ V_t+1 − V_t; returns are A_t + V_t. V after the last token is 0. MMOA-RAG eq. 14 and 15,
 * C-3PO A.1, MAO-ARAG 3.3.
 *
 * @param rewards the rewards of the tokens: `terminalReward` for the last token, 0 for the others
 * @param values the critic's value V of each token
 * @param options γ and λ, from 0 to 1. Default: 1 and 0.95, as in MMOA-RAG
 * @example generalizedAdvantages([0, 0.8], [0.5, 0.4]).advantages // [−0.1 + 0.95 · 0.4, 0.4]
 * @throws QuerentError `bad-config` for a γ or λ outside of 0 to 1, or if the numbers of values and rewards differ
 */
export function generalizedAdvantages(
  rewards: readonly number[],
  values: readonly number[],
  { gamma = 1, lambda = 0.95 }: { readonly gamma?: number; readonly lambda?: number } = {},
): { readonly advantages: readonly number[]; readonly returns: readonly number[] } {
  checkOption('gamma', gamma, gamma >= 0 && gamma <= 1, 'from 0 to 1')
  checkOption('lambda', lambda, lambda >= 0 && lambda <= 1, 'from 0 to 1')
  const same = values.length === rewards.length
  checkOption('The number of values', values.length, same, `that of the rewards, ${rewards.length}`)
  const advantages: number[] = new Array(rewards.length)
  let next = 0
  for (let token = rewards.length - 1; token >= 0; token--) {
    const delta = rewards[token]! + gamma * (values[token + 1] ?? 0) - values[token]!
    next = delta + gamma * lambda * next
    advantages[token] = next
  }
  return { advantages, returns: advantages.map((advantage, token) => advantage + values[token]!) }
}

/**
 * The critic's loss of one token, at least 0: max[(V − T)², (clip(V, V_old ± ε) − T)²]. MMOA-RAG eq. 17, MAO-ARAG eq. 10.
 * With ε = ∞ it is the squared error of C-3PO eq. 10.
 *
 * @param value V of the current critic
 * @param old V_old, of the critic at the time of the rollout
 * @param target T, the return
 * @param epsilon at least 0. Default: 0.2, as in MMOA-RAG
 * @example valueLoss({ value: 0.9, old: 0.4, target: 1 }) // max[0.1², (0.6 − 1)²] = 0.16
 * @throws QuerentError `bad-config` for a negative ε
 */
export function valueLoss(
  { value, old, target }: { readonly value: number; readonly old: number; readonly target: number },
  { epsilon = 0.2 }: { readonly epsilon?: number } = {},
): number {
  checkOption('epsilon', epsilon, epsilon >= 0, '0 or more')
  const clipped = clip(value, old - epsilon, old + epsilon)
  return Math.max((value - target) ** 2, (clipped - target) ** 2)
}

const clip = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high)
