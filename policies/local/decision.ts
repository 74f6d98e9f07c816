/** The decision of the local policy: scores every set of candidates and takes the best one. */

import { explainScore, prepareScorer, type Scorer } from '../../src/learn/scorer.ts'
import { softmax } from '../../src/learn/softmax.ts'
import type { DocumentOf } from '../../src/reranker.ts'
import type { Reader } from '../../src/text/reader.ts'
import type { Query, RankedList } from '../../src/types.ts'
import { type Action, actionFeatures, actionInputs, actionsOf } from './actions.ts'
import type { Candidate } from './candidates/candidate.ts'
import { candidatesOf } from './candidates/make-candidates.ts'
import type { Considered } from './considered.ts'
import { checkInputs } from './rerank/rerank-section.ts'
import { prepareSecondStage, type SecondStage, type SecondStageModels } from './second-stage.ts'

/** The trained models of the decision. Plain JSON. */
export interface DecisionSection extends SecondStageModels {
  /** Scores a set of candidates, by `actionInputs`. */
  readonly choice: Scorer
}

/** All choices for a query, with their features. */
export interface ActionSpace {
  readonly candidates: readonly Candidate[]
  /** The first one is the original query alone. */
  readonly choices: readonly Action[]
  /** choices × actionInputs */
  readonly features: Float32Array
  readonly stage: SecondStage
}

export interface Decision extends ActionSpace {
  /** The index of the best choice. */
  readonly best: number
  /** Whether the choice is all but certain. */
  readonly isSure: boolean
  readonly considered: Considered
}

/** Computes the choices without choosing: training draws its own. */
export function prepareActionSpace(
  models: SecondStageModels,
  reader: Reader,
): (query: Query, lists: readonly RankedList[], documentOf: DocumentOf) => ActionSpace {
  const lookAhead = prepareSecondStage(models, reader)
  return (query, lists, documentOf) => {
    const stage = lookAhead(query, lists, documentOf)
    const candidates = candidatesOf(query, lists, stage, documentOf, reader)
    const choices = actionsOf(candidates)
    return { candidates, choices, features: actionFeatures(choices, candidates, stage.query), stage }
  }
}

/** How many choices and features a trace shows. */
const tracedChoices = 5
const tracedInputs = 8

/**
 * @param maxOfSecondStage rules out sets with more second-stage sub-queries
 * @throws QuerentError `bad-config` if the section was trained on other features
 */
export function prepareDecision(
  section: DecisionSection,
  reader: Reader,
  maxOfSecondStage: number = Infinity,
): (query: Query, lists: readonly RankedList[], documentOf: DocumentOf) => Decision {
  checkInputs('decision.choice', section.choice, actionInputs)
  const optionsOf = prepareActionSpace(section, reader)
  const score = prepareScorer(section.choice)

  return (query, lists, documentOf) => {
    const options = optionsOf(query, lists, documentOf)
    const { candidates, choices, features } = options
    const scores = score(features, choices.length)
    choices.forEach(({ members }, place) => {
      const second = members.filter((member) => candidates[member]!.from !== undefined)
      if (second.length > maxOfSecondStage) scores[place] = -Infinity
    })
    const probabilities = softmax(scores)
    const best = bestOf(scores)
    return {
      ...options,
      best,
      isSure: isSure(probabilities[best]!),
      considered: explain(options, probabilities, best),
    }
  }

  function explain(
    { candidates, choices, features }: ActionSpace,
    probabilities: Float64Array,
    best: number,
  ): Considered {
    const order = choices
      .map((_, place) => place)
      .sort((a, b) => probabilities[b]! - probabilities[a]! || a - b)
    const chosen = explainScore(section.choice, features, best).parts
    const baseline = explainScore(section.choice, features, 0).parts
    const inputs = actionInputs
      .map((name, input) => ({ name, part: chosen[input]! - baseline[input]! }))
      .filter(({ part }) => part !== 0)
      .sort((a, b) => Math.abs(b.part) - Math.abs(a.part))
    const chosenWith = new Float64Array(candidates.length)
    choices.forEach(({ members }, place) => {
      for (const member of members) chosenWith[member]! += probabilities[place]!
    })
    return {
      candidates: candidates
        .map(({ text, from, kind }, member) => ({
          text,
          ...(from !== undefined && { from }),
          kind,
          probability: chosenWith[member]!,
        }))
        .sort((a, b) => b.probability - a.probability),
      choices: choices.length,
      best: order.slice(0, tracedChoices).map((place) => ({
        subQueries: choices[place]!.members.map((member) => candidates[member]!.text),
        withOriginal: choices[place]!.withOriginal,
        probability: probabilities[place]!,
      })),
      inputs: inputs.slice(0, tracedInputs),
    }
  }
}

/**
 * Whether a choice of this probability is all but certain. With 0.5, re-ranking ran too rarely, and HotpotQA lost a quarter point
 * of recall@5.
 */
export const isSure = (probability: number): boolean => probability >= 0.9

/** The index of the highest score. The first of equal scores wins, so the original query wins a tie. */
export function bestOf(scores: ArrayLike<number>): number {
  let best = 0
  for (let place = 1; place < scores.length; place++) if (scores[place]! > scores[best]!) best = place
  return best
}
