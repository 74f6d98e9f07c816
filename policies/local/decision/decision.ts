/** The decision of the local policy: predicts what each plan gains, and takes the best one if it is worth a request. */

import { explainScore, type Scorer } from '../../../src/learn/scorer.ts'
import { mean } from '../../../src/learn/statistics.ts'
import type { DocumentOf } from '../../../src/reranker.ts'
import type { Reader } from '../../../src/text/reader.ts'
import type { Query, RankedList } from '../../../src/types.ts'
import type { Considered } from './considered.ts'
import { defaultEffort, type Effort, efforts } from './effort.ts'
import { gainInputs, gainRow, prepareGains } from './gain.ts'
import { type Plan, plansOf, type TextLimits, withinLimits } from './plans.ts'
import { prepareSecondStage, type SecondStage, type SecondStageModels } from './second-stage.ts'

/** The trained models of the decision. Plain JSON. */
export interface DecisionSection extends SecondStageModels {
  /** Predict the gain of a plan, by `gainInputs`; their mean counts. */
  readonly gains: readonly Scorer[]
}

/** The plans for a query, and what the original query's results say. */
export interface Planned {
  readonly stage: SecondStage
  readonly plans: readonly Plan[]
}

/** Which plan is taken, if any. */
export interface Choice {
  /** Absent where the query is left alone. */
  readonly plan?: Plan
  /** Whether nothing speaks for another choice, so that a query that is left alone needs no wider pool. */
  readonly isSure: boolean
  /** The predicted gain of each plan. */
  readonly gains: readonly number[]
}

export interface Decision extends Planned, Choice {
  readonly considered: Considered
}

/** Makes the plans without choosing: training searches them all. */
export function preparePlans(
  models: SecondStageModels,
  reader: Reader,
): (query: Query, lists: readonly RankedList[], documentOf: DocumentOf) => Planned {
  const lookAhead = prepareSecondStage(models, reader)
  return (query, lists, documentOf) => {
    const stage = lookAhead(query, lists, documentOf)
    return { stage, plans: plansOf(query, lists, stage, documentOf, reader) }
  }
}

/**
 * Below this prediction, a plan would surely lose. A query that is left alone without being sure is searched further if it is re-ranked:
 * chains that read like plain questions gain by it, up to half a point of recall@5, where one in ten plain queries costs a request more.
 */
const sureLoss = -0.03

/** @throws QuerentError `bad-config` if the scorers were trained on other features */
export function prepareChoice(
  gains: readonly Scorer[],
  effort: Effort = defaultEffort,
): (planned: Planned) => Choice {
  const predict = prepareGains(gains)
  return ({ stage, plans }) => {
    const predicted = predict(stage, plans)
    const best = predicted.indexOf(Math.max(...predicted))
    if (best === -1) return { isSure: true, gains: predicted }
    const gain = predicted[best]!
    if (gain > efforts[effort]) return { plan: plans[best]!, isSure: true, gains: predicted }
    return { isSure: gain < sureLoss, gains: predicted }
  }
}

/** How many features a trace shows. */
const tracedInputs = 8

/**
 * A plan is judged by the texts that the limits leave of it: a gain from texts that are not searched would be none.
 *
 * @throws QuerentError `bad-config` if the section was trained on other features
 */
export function prepareDecision(
  section: DecisionSection,
  reader: Reader,
  effort: Effort = defaultEffort,
): (query: Query, lists: readonly RankedList[], documentOf: DocumentOf, limits: TextLimits) => Decision {
  const plan = preparePlans(section, reader)
  const choose = prepareChoice(section.gains, effort)

  return (query, lists, documentOf, limits) => {
    const { stage, plans } = plan(query, lists, documentOf)
    const planned = { stage, plans: withinLimits(plans, limits) }
    const choice = choose(planned)
    return { ...planned, ...choice, considered: explain(planned, choice) }
  }

  function explain({ stage, plans }: Planned, { gains }: Choice): Considered {
    const order = plans.map((_, place) => place).sort((a, b) => gains[b]! - gains[a]! || a - b)
    return {
      plans: order.map((place) => {
        const { name, texts, withOriginal } = plans[place]!
        const subQueries = texts.map(({ text }) => text)
        return { plan: name, subQueries, withOriginal, gain: gains[place]! }
      }),
      cost: efforts[effort],
      inputs: order.length === 0 ? [] : partsOf(gainRow(stage, plans[order[0]!]!)),
    }
  }

  function partsOf(row: Float32Array): Considered['inputs'] {
    const explained = section.gains.map((scorer) => explainScore(scorer, row).parts)
    return gainInputs
      .map((name, input) => ({ name, part: mean(explained.map((parts) => parts[input]!)) }))
      .filter(({ part }) => part !== 0)
      .sort((a, b) => Math.abs(b.part) - Math.abs(a.part))
      .slice(0, tracedInputs)
  }
}
