/** Trains a chooser on rollouts: the policy gradient of `querent train`, over the ways that the rollouts tried. */
import { QuerentError } from '../../../src/errors.ts'
import { checkOption } from '../../../src/learn/check-option.ts'
import { mean } from '../../../src/learn/statistics.ts'
import { byCodeUnit } from '../../../src/rank.ts'
import type { RolloutRecord } from '../../../src/training/rollouts/record.ts'
import type { ChoiceProblem } from '../../local/training/choice-learner.ts'
import { trainChoice } from '../../local/training/policy-gradient.ts'
import { type ChooserFile, type ChoosingPrompt, choosingPrompts } from '../chooser-file.ts'
import { chooserInputs, chooserRows } from '../question-row.ts'
import { choiceValues } from './choice-values.ts'

/** A query with its rollouts. */
export interface RolledOut {
  /** Its words. A conversation is not seen: the prompts get a question that stands alone. */
  readonly text: string
  readonly record: RolloutRecord
}

export interface ChooserOptions {
  /** What each prompt of a search costs, in points of the reward. From 0. Default: 0.01. */
  readonly cost?: number | undefined
  /** How often each query is seen. Default: 60, or more if the queries are so few that there would be fewer than 300 batches. */
  readonly epochs?: number | undefined
  /** Default: 1. */
  readonly seed?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface TrainedChooser {
  readonly chooser: ChooserFile
  /** Choice → its mean value over all queries that tried it: what it is worth without looking at the question. */
  readonly values: ReadonlyMap<string, number>
}

/** As many batches of the policy gradient's 32 queries as a linear function needs. */
const epochsFor = (queries: number): number => Math.max(60, Math.ceil(300 / Math.ceil(queries / 32)))

/** From fewer queries a chooser would learn their luck. */
const leastQueries = 20

/**
 * Trains a chooser. The same rollouts in any order, options and seed give the same chooser.
 *
 * @throws QuerentError `cannot-teach` for rollouts of a policy without a prompt to stand in for, of fewer than 20 queries that tried
 *   two choices or more, or of different policies; `bad-config` for options out of range; `aborted`
 */
export async function trainChooser(
  rolledOut: readonly RolledOut[],
  { cost = 0.01, epochs, seed = 1, signal }: ChooserOptions = {},
): Promise<TrainedChooser> {
  checkOption('cost', cost, cost >= 0, '0 or more')
  const prompt = promptOf(rolledOut)
  // Rollouts are written as they end, so their order means nothing.
  const tried = rolledOut
    .map(({ text, record }) => ({ qid: record.qid, text, values: choiceValues(record, prompt, cost) }))
    .sort((one, other) => byCodeUnit(one.qid, other.qid))
  const comparable = tried.filter(({ values }) => values.size > 1)
  if (comparable.length < leastQueries)
    throw new QuerentError(
      'cannot-teach',
      `Only ${comparable.length} queries have rollouts of two choices of ${prompt} or more; a chooser needs ${leastQueries}`,
      { remedy: 'Roll out more queries, or with more --samples or a higher --temperature.' },
    )
  const choices = [...new Set(comparable.flatMap(({ values }) => [...values.keys()]))].sort(byCodeUnit)
  const inputs = chooserInputs(choices)
  const problems = comparable.map(({ qid, text, values }): ChoiceProblem => {
    const worth = [...values].sort(([one], [other]) => byCodeUnit(one, other))
    const places = worth.map(([choice]) => choices.indexOf(choice))
    return {
      qid,
      actions: worth.length,
      features: chooserRows(text, choices, places),
      reward: (action) => worth[action]![1],
    }
  })
  const { scorer } = await trainChoice(problems, {
    inputs,
    seed,
    // A large epsilon: differences of a few prompts weigh less than those between right and wrong.
    epsilon: 0.3,
    rollouts: 16,
    learningRate: 0.01,
    curriculum: { stageOneEpochs: 1, stageTwoEpochs: epochs ?? epochsFor(problems.length), filter: false },
    ...(signal && { signal }),
  })
  const chooser: ChooserFile = {
    format: 'querent-chooser',
    version: 1,
    prompt,
    choices,
    scorer,
    cost,
    queries: problems.length,
  }
  return { chooser, values: new Map(choices.map((choice) => [choice, meanOf(comparable, choice)])) }
}

const meanOf = (tried: readonly { readonly values: ReadonlyMap<string, number> }[], choice: string): number =>
  mean(tried.flatMap(({ values }) => values.get(choice) ?? []))

/** The prompt that all these rollouts have. */
function promptOf(rolledOut: readonly RolledOut[]): ChoosingPrompt {
  const policies = [...new Set(rolledOut.map(({ record }) => record.policy))]
  const prompt = choosingPrompts.find((name) => policies.length === 1 && name.startsWith(`${policies[0]}/`))
  if (prompt !== undefined) return prompt
  throw new QuerentError(
    'cannot-teach',
    `A chooser learns from the rollouts of one policy, c3po or mao, and these are of ${policies.join(' and ') || 'none'}`,
    { remedy: 'Name a file of `querent rollouts --policy c3po` or `--policy mao`.' },
  )
}
