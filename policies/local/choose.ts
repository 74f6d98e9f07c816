/** Chooses among the sets of a query: the policy says which set is best, the gate whether that set is worth a request. */
import { prepareScorer, type Scorer } from '../../src/learn/scorer.ts'
import { softmax } from '../../src/learn/softmax.ts'
import { actionInputs } from './actions.ts'
import { defaultEffort, type Effort, efforts } from './effort.ts'
import { gateRow, learnedCost, prepareGate, type Weighed } from './gate/gate.ts'
import { checkInputs } from './rerank/rerank-section.ts'

/** The trained models of a choice. Plain JSON. */
export interface ChoiceModels {
  /** Scores a set of candidates, by `actionInputs`. */
  readonly choice: Scorer
  /**
   * Predict the gain of the best set, by `gateInputs`; their mean counts. If absent, the query is left alone where that scores
   * highest.
   */
  readonly gate?: readonly Scorer[]
}

export interface Chosen {
  /** The index of the chosen set; 0 leaves the query alone. */
  readonly choice: number
  /** The probability of each set. */
  readonly probabilities: Float64Array
  /** Whether nothing speaks for another choice, so that a query that is left alone needs no wider pool. */
  readonly isSure: boolean
  /** The gain that the gate predicts for the best set that searches something, from −1 to 1. Absent without a gate. */
  readonly gain?: number
}

/**
 * @returns a function of a query's sets; it never chooses one of `ruledOut`
 * @throws QuerentError `bad-config` if the models were trained on other features
 */
export function prepareChoice(
  { choice, gate: scorers }: ChoiceModels,
  effort: Effort = defaultEffort,
): (weighed: Weighed, ruledOut?: (choice: number) => boolean) => Chosen {
  checkInputs('decision.choice', choice, actionInputs)
  const score = prepareScorer(choice)
  const gate = scorers && prepareGate(scorers)
  const minGain = efforts[effort]
  return (weighed, ruledOut) => {
    const { choices, features } = weighed
    const scores = score(features, choices.length)
    if (ruledOut !== undefined)
      scores.forEach((_, place) => {
        if (ruledOut(place)) scores[place] = -Infinity
      })
    const probabilities = softmax(scores)
    if (gate === undefined) {
      const highest = bestOf(scores)
      return { choice: highest, probabilities, isSure: isSure(probabilities[highest]!) }
    }
    const best = bestOf(scores, (place) => choices[place]!.members.length > 0)
    // Only the query itself: there is nothing to weigh.
    if (best === -1) return { choice: 0, probabilities, isSure: true }
    const gain = gate(gateRow(weighed, best, probabilities))
    const isWorth = gain > minGain
    return { choice: isWorth ? best : 0, probabilities, isSure: isWorth || gain < -learnedCost, gain }
  }
}

/**
 * Whether a choice of this probability is all but certain. With 0.5, re-ranking ran too rarely, and HotpotQA lost a quarter point
 * of recall@5.
 */
const isSure = (probability: number): boolean => probability >= 0.9

/** The index of the highest score among those that are allowed, −1 if there is none. The first of equal scores wins. */
export function bestOf(scores: ArrayLike<number>, allows: (index: number) => boolean = () => true): number {
  let best = -1
  for (let place = 0; place < scores.length; place++)
    if (allows(place) && (best === -1 ? scores[place]! > -Infinity : scores[place]! > scores[best]!))
      best = place
  return best
}
