/** Applies a trained decision to examples. */

import type { RankedList } from '../../../src/types.ts'
import { actionInputs } from '../actions.ts'
import { type ChoiceModels, type Chosen, prepareChoice } from '../choose.ts'
import type { Effort } from '../effort.ts'
import { secondStageLimit, subQueryOf } from '../local.ts'
import { widens, widerSubQueries } from '../wider-pool.ts'
import type { PreparedExample } from './action-space.ts'
import { columnsOf } from './decision-training.ts'

/** The choice for an example. */
export type AppliedDecision = Pick<Chosen, 'choice' | 'isSure'>

/** Makes the choice of these models. Their choice scorer may have fewer inputs than `actionInputs`. */
export function chooserOf(
  models: ChoiceModels,
  effort?: Effort,
): (space: Parameters<ReturnType<typeof prepareChoice>>[0]) => AppliedDecision {
  const { inputs } = models.choice
  const isAblated = inputs.length < actionInputs.length
  const choose = prepareChoice(
    models,
    effort,
    isAblated ? (features) => columnsOf(features, inputs) : undefined,
  )
  return (space) => {
    const { choice, isSure } = choose(space)
    return { choice, isSure }
  }
}

/** The choice for each example. */
export function applyDecisions(
  prepared: readonly PreparedExample[],
  models: ChoiceModels,
): readonly AppliedDecision[] {
  const choose = chooserOf(models)
  return prepared.map((one) => choose(one))
}

/** All lists of a search with this choice whose result is re-ranked. */
export async function broughtLists(
  prepared: PreparedExample,
  { choice, isSure: sure }: AppliedDecision,
  maxSecondStage = secondStageLimit,
): Promise<RankedList[]> {
  const { example, choices, searched } = prepared
  if (!widens(choices[choice]!, sure)) return [...example.lists]
  const { members } = choices[choice]!
  const chosen = members.map((member) => subQueryOf(prepared, member))
  const wider = await example.search(widerSubQueries(prepared, chosen, maxSecondStage))
  return [...example.lists, ...members.flatMap((member) => searched[member]!), ...wider.flat()]
}
