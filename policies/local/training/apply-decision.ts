/** Applies a trained decision to examples. */

import type { RankedList } from '../../../src/types.ts'
import { type ChoiceModels, type Chosen, prepareChoice } from '../choose.ts'
import { secondStageLimit, subQueryOf } from '../local.ts'
import { widens, widerSubQueries } from '../wider-pool.ts'
import type { PreparedExample } from './action-space.ts'

/** The choice for an example. */
export type AppliedDecision = Pick<Chosen, 'choice' | 'isSure'>

/** The choice for each example. */
export function applyDecisions(
  prepared: readonly PreparedExample[],
  models: ChoiceModels,
): readonly AppliedDecision[] {
  const choose = prepareChoice(models)
  return prepared.map((one) => {
    const { choice, isSure } = choose(one)
    return { choice, isSure }
  })
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
