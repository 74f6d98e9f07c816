/** Applies a trained decision to examples. */

import { prepareScorer, type Scorer } from '../../../src/learn/scorer.ts'
import { softmax } from '../../../src/learn/softmax.ts'
import type { RankedList } from '../../../src/types.ts'
import { actionInputs } from '../actions.ts'
import { bestOf, isSure } from '../decision.ts'
import { secondStageLimit, subQueryOf, widens, widerSubQueries } from '../local.ts'
import type { PreparedExample } from './action-space.ts'
import { only } from './decision-training.ts'

/** The choice of a scorer for an example. */
export interface AppliedDecision {
  /** The index of the choice. */
  readonly choice: number
  /** Whether the choice is all but certain. If so, a query that is left alone needs no wider pool. */
  readonly isSure: boolean
}

/** The choice of a scorer for each example. */
export function applyDecisions(
  prepared: readonly PreparedExample[],
  scorer: Scorer,
): readonly AppliedDecision[] {
  const score = prepareScorer(scorer)
  const all = scorer.inputs.length === actionInputs.length
  return prepared.map(({ features, choices }) => {
    const scores = score(all ? features : only(features, scorer.inputs), choices.length)
    const choice = bestOf(scores)
    return { choice, isSure: isSure(softmax(scores)[choice]!) }
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
  const wider = await example.search(
    widerSubQueries(prepared, chosen, maxSecondStage).map((one) => ({ ...one, round: 1 })),
  )
  return [...example.lists, ...members.flatMap((member) => searched[member]!), ...wider.flat()]
}
