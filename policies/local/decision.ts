/** The decision of the local policy: scores every set of candidates and takes the best one. */

import { explainScore } from '../../src/learn/scorer.ts'
import type { DocumentOf } from '../../src/reranker.ts'
import type { Reader } from '../../src/text/reader.ts'
import type { Query, RankedList } from '../../src/types.ts'
import { type Action, actionFeatures, actionInputs, actionsOf } from './actions.ts'
import type { Candidate } from './candidates/candidate.ts'
import { candidatesOf } from './candidates/make-candidates.ts'
import { type ChoiceModels, type Chosen, prepareChoice } from './choose.ts'
import type { Considered } from './considered.ts'
import type { Effort } from './effort.ts'
import type { EarlyGate } from './gate/early.ts'
import { prepareSecondStage, type SecondStage, type SecondStageModels } from './second-stage.ts'

/** The trained models of the decision. Plain JSON. */
export interface DecisionSection extends SecondStageModels, ChoiceModels {
  /** Leaves queries alone without looking further. Absent in policies of few queries, and without a gate. */
  readonly early?: EarlyGate
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

export interface Decision extends ActionSpace, Omit<Chosen, 'probabilities'> {
  readonly considered: Considered
}

export interface DecisionOptions {
  /** How much a request has to bring. Default: `medium`. */
  readonly effort?: Effort | undefined
  /** Rules out sets with more second-stage sub-queries. Default: no limit. */
  readonly maxOfSecondStage?: number | undefined
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
 * @returns a function that rules out sets with more than `maxTexts` sub-queries. Default: no limit
 * @throws QuerentError `bad-config` if the section was trained on other features
 */
export function prepareDecision(
  section: DecisionSection,
  reader: Reader,
  { effort, maxOfSecondStage = Infinity }: DecisionOptions = {},
): (query: Query, lists: readonly RankedList[], documentOf: DocumentOf, maxTexts?: number) => Decision {
  const optionsOf = prepareActionSpace(section, reader)
  const choose = prepareChoice(section, effort)

  return (query, lists, documentOf, maxTexts = Infinity) => {
    const options = optionsOf(query, lists, documentOf)
    const { candidates, choices } = options
    const isTooLarge = (set: number): boolean => {
      const { members } = choices[set]!
      const ofSecondStage = members.filter((member) => candidates[member]!.from !== undefined)
      return members.length > maxTexts || ofSecondStage.length > maxOfSecondStage
    }
    const { probabilities, ...chosen } = choose(options, isTooLarge)
    return { ...options, ...chosen, considered: explain(options, probabilities, chosen) }
  }

  function explain(
    { candidates, choices, features }: ActionSpace,
    probabilities: Float64Array,
    { choice, gain }: Omit<Chosen, 'probabilities'>,
  ): Considered {
    const order = choices
      .map((_, place) => place)
      .sort((a, b) => probabilities[b]! - probabilities[a]! || a - b)
    const chosen = explainScore(section.choice, features, choice).parts
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
      ...(gain !== undefined && { gain }),
    }
  }
}
