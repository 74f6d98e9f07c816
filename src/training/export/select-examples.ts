/** ACQO's data filter for an export: which examples to train on, by how well a model's recorded answers do (eq. 7, eq. 8, A.3). */
import { type ChallengeZone, checkedZone, difficulty } from '../../../policies/acqo/rewards.ts'
import type { Trace } from '../../types.ts'
import { challengingOf, hardestOf, type Measured } from '../by-difficulty.ts'
import type { RolloutScorer } from '../rewards/scorer.ts'
import type { Example } from './formats.ts'
import { recordedAnswers } from './recorded-answers.ts'

export interface SelectionOptions {
  readonly scorer: RolloutScorer
  /** τ_thres and its lower bound. Default: no filter by τ. */
  readonly zone?: ChallengeZone | undefined
  /** The share of queries to keep, hardest first. Default: 1. The paper uses 0.5 for HotpotQA. */
  readonly retain?: number | undefined
  readonly signal: AbortSignal
}

export interface Selection {
  /** In the order of the examples, numbered anew. */
  readonly examples: readonly Example[]
  /** Number of examples without a recorded answer. They are left out: nothing is known of them. */
  readonly unmeasured: number
  /** Number of examples that the filter dropped. */
  readonly filtered: number
}

/**
 * τ of a query is the mean reward of Stage I over its recorded answers. Every recorded answer counts, as often as it was recorded; one
 * that the model had to repair counts as malformed. The hardest share is taken of all measured queries, as before Stage I; the zone
 * is applied to what is left.
 *
 * @param traces of the runs of one model, the paper has 8 of each query
 * @throws QuerentError `bad-config` for an option out of range; the first error of an answer that cannot be scored
 */
export async function selectExamples(
  examples: readonly Example[],
  traces: AsyncIterable<Trace>,
  { scorer, zone, retain = 1, signal }: SelectionOptions,
): Promise<Selection> {
  const recorded = await recordedAnswers(traces, new Set(examples.map(({ qid }) => qid)))
  const measured: Measured[] = []
  for (const [qid, { answers }] of recorded) {
    const rewards = await scorer.score(
      answers.map(({ completion, isRepaired }) => ({
        completion: isRepaired ? '' : completion,
        qid,
        options: { stage: 1 },
      })),
      signal,
    )
    const scores = rewards.map((reward) => {
      if (reward instanceof Error) throw reward
      return reward.score
    })
    measured.push({ qid, tau: difficulty(scores) })
  }
  const hardest = hardestOf(measured, retain)
  const left = measured.filter(({ qid }) => hardest.has(qid))
  const kept = zone === undefined ? hardest : challengingOf(left, widened(zone))
  return {
    examples: examples.filter(({ qid }) => kept.has(qid)).map((example, index) => ({ ...example, index })),
    unmeasured: examples.length - measured.length,
    filtered: measured.length - kept.size,
  }
}

/** Rewards have six decimals: eight times 5/3 must be 5/3, not 1.666667. */
const precision = 1e-6

function widened(zone: ChallengeZone): ChallengeZone {
  const { tauMax, tauMin } = checkedZone(zone)
  return { tauMax: tauMax + precision, tauMin: tauMin - precision }
}
