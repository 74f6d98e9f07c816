/**
 * Trains both sections of a local policy in this process. First come the second stage's scorers, then the choice among sets
 * with the paper's two-stage curriculum, then the gate that decides whether the chosen set is worth a request, then re-ranking on
 * the lists that the decision retrieves.
 */

import { createReader, type Reader } from '../../../src/text/reader.ts'
import type { TermWeights } from '../../../src/text/term-weights.ts'
import type { CurriculumEntry } from '../../../src/training/curriculum.ts'
import type { ChoiceModels } from '../choose.ts'
import type { DecisionSection } from '../decision.ts'
import type { EarlyGate } from '../gate/early.ts'
import type { RerankSection } from '../rerank/rerank-section.ts'
import { prepareAll } from './action-space.ts'
import { applyDecisions } from './apply-decision.ts'
import { lookUpDepth } from './bridge-targets.ts'
import { type CrossFittedSecondStage, fitSeedsAndBridges } from './bridge-training.ts'
import { checkTeachable, checkVaried } from './check-training-data.ts'
import type { ChoiceEpoch } from './choice-epoch.ts'
import {
  choiceProblems,
  type DecisionProgress,
  type DecisionTrainingOptions,
  trainDecision,
} from './decision-training.ts'
import { defaultReward } from './defaults.ts'
import { trainEarly } from './early-training.ts'
import { type Example, readPoolOf, rememberedDocuments } from './example.ts'
import { trainGate } from './gate-training.ts'
import { withShortLists } from './short-lists.ts'
import { type PhaseProgress, trainReranking } from './train-reranking.ts'

export interface PolicyTrainingOptions
  extends Pick<DecisionTrainingOptions, 'seed' | 'reward' | 'choice' | 'signal'> {
  /** Whether to fit re-ranking as well. Default: true. Re-ranking learns from the lists that the decision retrieves. */
  readonly rerank?: boolean | undefined
  readonly onProgress?: ((progress: TrainingProgress) => void) | undefined
}

export type TrainingProgress = PhaseProgress | DecisionProgress

export interface TrainedPolicy {
  readonly decision: DecisionSection
  readonly rerank?: RerankSection
  readonly log: readonly CurriculumEntry[]
  readonly curve: readonly ChoiceEpoch[]
}

/** The number of folds for scorers whose scores the next model learns from. */
const secondStageFolds = 3

/**
 * @param terms of the collections, for the policy file
 * @throws QuerentError `unusable-judgments`; `aborted`
 */
export async function trainPolicy(
  given: readonly Example[],
  terms: TermWeights,
  options: PolicyTrainingOptions,
): Promise<TrainedPolicy> {
  checkTeachable(given)
  const examples = withShortLists(given)
  const reader = createReader(terms, rememberedDocuments)
  const { onProgress, signal } = options
  const secondStage = await fitSecondStage(examples, reader, options)
  const prepared = await prepareAll(
    examples,
    (_, index) => secondStage.folds[secondStage.foldOf[index]!]!,
    reader,
    {
      signal,
      onProgress: (done, total) => onProgress?.({ phase: 'candidates', done, total }),
    },
  )
  checkVaried(prepared, options.reward ?? defaultReward)
  const problems = choiceProblems(prepared, options.reward)
  const { scorer: choice, log, curve } = await trainDecision(problems, options)
  const gate = await trainGate(prepared, problems, {
    ...options,
    foldOf: secondStage.foldOf,
    onProgress: (done, total) => onProgress?.({ phase: 'gate', done, total }),
  })
  const models = { ...secondStage.all, choice, ...(gate.length > 0 && { gate }) }
  const early = gate.length > 0 ? await fitEarly(models) : undefined
  const decision = { ...models, ...(early && { early }) }
  if (options.rerank === false) return { decision, log, curve }
  const rerank = await trainReranking(prepared, decision, reader, options)
  return { decision, rerank, log, curve }

  function fitEarly(models: ChoiceModels): Promise<EarlyGate | undefined> {
    const { seed } = options
    return trainEarly(prepared, applyDecisions(prepared, models), reader, {
      seed,
      foldOf: secondStage.foldOf,
      signal,
    })
  }
}

/** Fits the second stage's scorers on all examples, and for each fold on the other folds. */
async function fitSecondStage(
  examples: readonly Example[],
  reader: Reader,
  { seed, signal, onProgress }: Pick<PolicyTrainingOptions, 'seed' | 'signal' | 'onProgress'>,
): Promise<CrossFittedSecondStage> {
  const bridgeExamples = examples.map((example) => ({
    query: example.query,
    lists: example.lists,
    golds: example.golds,
    keys: example.keys,
    readPool: () => readPoolOf(example, example.lists),
    lookUp: (names: readonly string[]) => example.lookUp(names, lookUpDepth),
  }))
  return fitSeedsAndBridges(bridgeExamples, reader, {
    seed,
    folds: secondStageFolds,
    ...(signal && { signal }),
    onProgress: ({ step, done }) => {
      const before = step === 'seeds' ? 0 : examples.length
      onProgress?.({ phase: 'second stage', done: before + done, total: 2 * examples.length })
    },
  })
}
