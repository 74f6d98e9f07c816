/**
 * Rejection sampling: selects the best recorded answer of each query, if it is worth imitating. The selected answers are
 * examples for supervised fine-tuning, before reinforcement learning or instead of it.
 */
import { parseStrict } from '../../../policies/acqo/parse.ts'
import { searchKey } from '../../dedupe.ts'
import type { Trace } from '../../types.ts'
import type { Reward } from '../rewards/reward.ts'
import type { RolloutScorer } from '../rewards/scorer.ts'
import { recordedAnswers } from './recorded-answers.ts'

export interface RejectionOptions {
  readonly scorer: RolloutScorer
  /** The queries to use. Traces of other queries are ignored. */
  readonly qids: ReadonlySet<string>
  /**
   * Keep answers with at least this reward. Default: keep answers with a higher reward than the original query. If no answer
   * has a higher reward, but the original query's reward is above 0, keep an answer that leaves the query unchanged: a model
   * has to learn that too.
   */
  readonly threshold?: number
  readonly signal: AbortSignal
}

export interface Rejection {
  /** qid → the model's answer, verbatim, in the order of the first traces. */
  readonly kept: ReadonlyMap<string, string>
  /** Numbers of distinct answers, and of those among them that are malformed, or were until the model repaired them. */
  readonly answers: number
  readonly malformed: number
}

interface Priced {
  readonly completion: string
  readonly reward: Reward
  readonly isAsIs: boolean
}

/**
 * @param traces the traces of any number of runs. Traces without qid are ignored, and answers to other prompts than ACQO's.
 * Repaired answers count as malformed
 * @throws the first error of an answer that cannot be scored; the signal's reason
 */
export async function rejectionSample(
  traces: AsyncIterable<Trace>,
  { scorer, qids, threshold, signal }: RejectionOptions,
): Promise<Rejection> {
  const recorded = await recordedAnswers(traces, qids)

  const kept = new Map<string, string>()
  let [answered, malformed] = [0, 0]
  for (const [qid, { text, answers: all }] of recorded) {
    // The first attempt was malformed, and the second answers a conversation that the example does not show.
    const repaired = new Set(all.filter(({ isRepaired }) => isRepaired).map(({ completion }) => completion))
    const answers = new Set(all.filter(({ isRepaired }) => !isRepaired).map(({ completion }) => completion))
    // A literal separator in the query would split it into sub-queries.
    const asIs = JSON.stringify({ query: text.replaceAll('%%', ' ') })
    const completions = [asIs, ...answers]
    const rewards = await scorer.score(
      completions.map((completion) => ({ completion, qid })),
      signal,
    )
    const priced = rewards.map((reward, place): Priced => {
      if (reward instanceof Error) throw reward
      const completion = completions[place]!
      return { completion, reward, isAsIs: reward.format === 1 && isSameSearch(completion, text) }
    })
    answered += answers.size + repaired.size
    malformed += repaired.size
    malformed += priced.slice(1).filter(({ reward }) => reward.format === 0).length
    const chosen = choose(priced.slice(1), priced[0]!.reward.score, threshold)
    if (chosen !== undefined) kept.set(qid, chosen.completion)
  }
  return { kept, answers: answered, malformed }
}

/** Whether the answer is the unchanged query, alone. */
function isSameSearch(completion: string, text: string): boolean {
  return searchKey(parseStrict(completion, Number.POSITIVE_INFINITY).join(' %% ')) === searchKey(text)
}

/** The best well-formed answer. Ties go to the unchanged query, then to the fewest sub-queries, then to the first answer. */
function choose(answers: readonly Priced[], asIs: number, threshold?: number): Priced | undefined {
  const [best] = answers
    .filter(({ reward }) => reward.format === 1)
    .sort(
      (a, b) =>
        b.reward.score - a.reward.score ||
        Number(b.isAsIs) - Number(a.isAsIs) ||
        a.reward.n_sub - b.reward.n_sub,
    )
  if (best === undefined) return undefined
  const { score } = best.reward
  const isWorth = threshold === undefined ? score > asIs || (best.isAsIs && score > 0) : score >= threshold
  return isWorth ? best : undefined
}
