/** A judged query with all of its choices, whose lists are searched ahead, so every choice has its reward. */
import { rankScore } from '../../../fusion/rank-score.ts'
import type { SearchText } from '../../../src/policy.ts'
import { yieldAt } from '../../../src/runtime/yield.ts'
import type { Reader } from '../../../src/text/reader.ts'
import type { Fusion, Hit, RankedList } from '../../../src/types.ts'
import { type Bonus, type Decay, stageOneReward, stageTwoReward } from '../../acqo/rewards.ts'
import type { Candidate } from '../candidates/candidate.ts'
import { type ActionSpace, prepareActionSpace } from '../decision.ts'
import type { SecondStageModels } from '../second-stage.ts'
import type { ChoiceProblem } from './choice-learner.ts'
import { type Example, readPoolOf } from './example.ts'
import { partsOf } from './joined-searches.ts'

export interface PreparedExample extends ActionSpace {
  readonly example: Example
  /** The lists of each candidate, one per retriever. */
  readonly searched: readonly (readonly RankedList[])[]
}

/** The reward of a choice. */
export interface RewardOptions extends Decay, Bonus {
  /**
   * The price of each sub-query beside the original, subtracted from the reward of either stage. From 0. Default: 0, as in the
   * paper.
   */
  readonly cost?: number | undefined
  /** Default: rank-score fusion. Use another one for ablations only. */
  readonly fusion?: Fusion
}

export interface PrepareOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

/** Makes and searches the candidates of all examples. */
export async function prepareAll(
  examples: readonly Example[],
  models: (example: Example, index: number) => SecondStageModels,
  reader: Reader,
  { signal, onProgress }: PrepareOptions = {},
): Promise<PreparedExample[]> {
  const makers = new Map<SecondStageModels, ReturnType<typeof prepareActionSpace>>()
  const prepared: PreparedExample[] = []
  for (const [first, part] of partsOf(examples)) {
    const made: ActionSpace[] = []
    for (const [place, example] of part.entries()) {
      await yieldAt(first + place, signal)
      const documentOf = await readPoolOf(example, example.lists)
      made.push(makerOf(example, first + place)(example.query, example.lists, documentOf))
    }
    const searched = await Promise.all(
      part.map((example, place) => example.search(made[place]!.candidates.map(searchText))),
    )
    for (const [place, example] of part.entries())
      prepared.push({ ...made[place]!, example, searched: searched[place]! })
    onProgress?.(prepared.length, examples.length)
  }
  return prepared

  function makerOf(example: Example, index: number): ReturnType<typeof prepareActionSpace> {
    const trained = models(example, index)
    const make = makers.get(trained) ?? prepareActionSpace(trained, reader)
    makers.set(trained, make)
    return make
  }
}

const searchText = ({ text, from }: Candidate): SearchText => ({
  text,
  ...(from !== undefined && { from }),
})

/** The lists that vote in a choice. */
export function votingLists({ example, choices, searched }: PreparedExample, choice: number): RankedList[] {
  const { members, withOriginal } = choices[choice]!
  return [...(withOriginal ? example.lists : []), ...members.flatMap((member) => searched[member]!)]
}

/** The fused hits of a choice. */
export function fusedHits(prepared: PreparedExample, choice: number, fusion: Fusion = rankScore()): Hit[] {
  return fusion.fuse(votingLists(prepared, choice), { k: 100, depth: 100 })
}

/**
 * The choice for a query as a problem for the trainer, with ACQO's rewards: the best subset in Stage I, the whole set in Stage
 * II.
 */
export function choiceProblem(
  prepared: PreparedExample,
  { cost = 0, fusion, ...reward }: RewardOptions,
): ChoiceProblem {
  const { example, choices, features, searched } = prepared
  const golds = [...example.golds.keys()]
  const rewards = { 1: new Map<number, number>(), 2: new Map<number, number>() }
  const size = (action: number): number => choices[action]!.members.length

  function reckon(action: number, stage: 1 | 2): number {
    const { members, withOriginal } = choices[action]!
    const lists = [...(withOriginal ? [example.lists] : []), ...members.map((member) => searched[member]!)]
    if (stage === 2) return stageTwoReward(lists, golds, { ...reward, ...(fusion && { fusion }) })
    const { eta, etaStart } = reward
    return stageOneReward(lists, golds, {
      ...(eta !== undefined && { eta }),
      ...(etaStart !== undefined && { etaStart }),
      ...(fusion && { fusion }),
    })
  }

  function earned(action: number, stage: 1 | 2): number {
    const known = rewards[stage].get(action)
    if (known !== undefined) return known
    const found = reckon(action, stage)
    rewards[stage].set(action, found)
    return found
  }

  return {
    qid: example.qid,
    actions: choices.length,
    features,
    size,
    reward: (action, stage) => earned(action, stage) - cost * size(action),
  }
}
