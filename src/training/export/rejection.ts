/**
 * Rejection sampling: of recorded rollouts the best answer of each query, where it is worth imitating. What is kept becomes
 * the examples of a supervised fine-tuning, before reinforcement learning or instead of it.
 */
import { parseStrict } from '../../../policies/acqo/parse.ts'
import { searchKey } from '../../dedupe.ts'
import type { Trace } from '../../types.ts'
import type { Reward } from '../rewards/reward.ts'
import type { RolloutScorer } from '../rewards/scorer.ts'

export interface RejectionOptions {
  readonly scorer: RolloutScorer
  /** Which queries to look at; the traces may be of more. */
  readonly qids: ReadonlySet<string>
  /**
   * Keep answers with this reward or more. Default: those with more than the query as it is has; and where nothing has more
   * and it finds something, an answer that leaves it as it is, since a model has to learn that as well.
   */
  readonly threshold?: number
  readonly signal: AbortSignal
}

export interface Rejection {
  /** qid → the model's answer, word for word, in the order in which the queries come up first. */
  readonly kept: ReadonlyMap<string, string>
  /** Different answers, and those of them that are outside of the grammar. */
  readonly answers: number
  readonly malformed: number
}

interface Priced {
  readonly completion: string
  readonly reward: Reward
  readonly isAsIs: boolean
}

/**
 * @param traces of any number of runs, one after the other; those without qid, or whose policy asked no model, say nothing
 * @throws the first error of an answer that cannot be priced; the signal's reason
 */
export async function rejectionSample(
  traces: AsyncIterable<Trace>,
  { scorer, qids, threshold, signal }: RejectionOptions,
): Promise<Rejection> {
  const recorded = new Map<string, { readonly text: string; readonly answers: Set<string> }>()
  for await (const { query, steps } of traces) {
    if (query.qid === undefined || !qids.has(query.qid)) continue
    for (const step of steps) {
      if (step.type !== 'ask' || step.output === undefined) continue
      const entry = recorded.get(query.qid) ?? { text: query.text, answers: new Set() }
      entry.answers.add(step.output.trim())
      recorded.set(query.qid, entry)
    }
  }

  const kept = new Map<string, string>()
  let [answered, malformed] = [0, 0]
  for (const [qid, { text, answers }] of recorded) {
    // A literal separator in the user's words would split them.
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
    answered += answers.size
    malformed += priced.slice(1).filter(({ reward }) => reward.format === 0).length
    const chosen = choose(priced.slice(1), priced[0]!.reward.score, threshold)
    if (chosen !== undefined) kept.set(qid, chosen.completion)
  }
  return { kept, answers: answered, malformed }
}

/** Whether the answer is the query itself, alone. */
function isSameSearch(completion: string, text: string): boolean {
  return searchKey(parseStrict(completion, Number.POSITIVE_INFINITY).join(' %% ')) === searchKey(text)
}

/** The best well-formed answer; of equal ones the query as it is, then the one with the fewest sub-queries, then the first. */
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
