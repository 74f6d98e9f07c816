/**
 * Trains a local policy, both sections, in this process: the second stage's scorers, the decision by the paper's two-stage
 * curriculum over what can be chosen, and re-ranking on what the decision then brings.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DecisionSection } from '../../policies/local/decision.ts'
import type { RerankSection } from '../rerank/rerank-section.ts'
import type { Scorer } from '../scorer.ts'
import { createReader, type Reader } from '../text/reader.ts'
import type { TermWeights } from '../text/term-weights.ts'
import type { RankedList } from '../types.ts'
import { type CrossFittedSecondStage, fitSeedsAndBridges, lookUpDepth } from './bridge-training.ts'
import type { ChoiceEpoch } from './choice-checkpoint.ts'
import type { Decision as CurriculumDecision } from './curriculum.ts'
import {
  type DecisionProgress,
  type DecisionTrainingOptions,
  defaultReward,
  type TrainedDecision,
  trainDecision,
} from './decision-training.ts'
import { checkAborted, type Example, readPoolOf } from './example.ts'
import type { MeanChoiceCheckpoint } from './mean-choice.ts'
import { type Prepared, prepareAll } from './prepared.ts'
import { fitReranker, type RerankExample } from './rerank-training.ts'
import { broughtLists, takeAll } from './taken.ts'
import { checkTeachable, checkVaried } from './teachable.ts'

export interface PolicyTrainingOptions
  extends Pick<DecisionTrainingOptions, 'seed' | 'reward' | 'choice' | 'inputs' | 'signal'> {
  /** Which sections are fitted. Default: both. Re-ranking learns from what the decision brings, so it needs one. */
  readonly rerank?: boolean | undefined
  /** Where an earlier run with the same examples and options had got to. */
  readonly resume?: TrainingCheckpoint | undefined
  readonly onCheckpoint?: ((checkpoint: TrainingCheckpoint) => void | Promise<void>) | undefined
  readonly onProgress?: ((progress: TrainingProgress) => void) | undefined
}

export type TrainingProgress =
  | {
      readonly phase: 'second stage' | 'candidates' | 're-ranking'
      readonly done: number
      readonly total: number
    }
  | DecisionProgress

/** What has been fitted so far. Plain JSON. */
export interface TrainingCheckpoint {
  readonly secondStage?: CrossFittedSecondStage
  readonly choice?: MeanChoiceCheckpoint
  readonly decided?: TrainedDecision
}

export interface TrainedPolicy {
  readonly decision: DecisionSection
  readonly rerank?: RerankSection
  readonly log: readonly CurriculumDecision[]
  readonly curve: readonly ChoiceEpoch[]
}

/** Training reads the same documents several times: some 250 MB at the most. */
export const rememberedDocuments = 50_000

/** Parts of the examples, for scorers whose answers teach the next one. */
const folds = 3

/**
 * @param terms of the collections, which the policy's file keeps
 * @throws QuerentError `cannot-teach`; `aborted`, after the last checkpoint was reported
 */
export async function trainPolicy(
  examples: readonly Example[],
  terms: TermWeights,
  options: PolicyTrainingOptions,
): Promise<TrainedPolicy> {
  checkTeachable(examples)
  const reader = createReader(terms, rememberedDocuments)
  const { onCheckpoint, onProgress, signal } = options
  let checkpoint: TrainingCheckpoint = options.resume ?? {}
  const keep = async (more: TrainingCheckpoint): Promise<void> => {
    checkpoint = { ...checkpoint, ...more }
    await onCheckpoint?.(checkpoint)
  }

  const secondStage = checkpoint.secondStage ?? (await fitSecondStage(examples, reader, options))
  await keep({ secondStage })

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
  const { choice: half } = checkpoint
  const decided =
    checkpoint.decided ??
    (await trainDecision(prepared, {
      ...options,
      ...(half && { resumeChoice: half }),
      onChoiceCheckpoint: (choice) => keep({ choice }),
    }))
  await keep({ decided })
  const { scorer: choice, log, curve } = decided
  const decision = { ...secondStage.all, choice }
  if (options.rerank === false) return { decision, log, curve }
  const rerank = await trainReranking(prepared, choice, reader, options)
  return { decision, rerank, log, curve }
}

/** Fits the second stage's scorers on all examples, and for each fold on the others. */
export async function fitSecondStage(
  examples: readonly Example[],
  reader: Reader,
  { seed, signal, onProgress }: Pick<PolicyTrainingOptions, 'seed' | 'signal' | 'onProgress'>,
): Promise<CrossFittedSecondStage> {
  const bridgeExamples = examples.map((example) => ({
    query: example.query,
    lists: example.lists,
    golds: example.golds,
    documentOf: example.documentOf,
    keys: example.keys,
    readPool: () => readPoolOf(example, example.lists),
    lookUp: (names: readonly string[]) => example.lookUp(names, lookUpDepth),
  }))
  return fitSeedsAndBridges(bridgeExamples, reader, {
    seed,
    folds,
    ...(signal && { signal }),
    onProgress: ({ step, done }) => {
      const before = step === 'seeds' ? 0 : examples.length
      onProgress?.({ phase: 'second stage', done: before + done, total: 2 * examples.length })
    },
  })
}

type RerankingOptions = Pick<PolicyTrainingOptions, 'seed' | 'signal' | 'onProgress'>

/** Fits re-ranking on what the decision brings: its lists, and those that only widen the pool. */
export async function trainReranking(
  prepared: readonly Prepared[],
  choice: Scorer,
  reader: Reader,
  options: RerankingOptions,
): Promise<RerankSection> {
  const taken = takeAll(prepared, choice)
  const examples = prepared.map(({ example }) => example)
  return rerankingOf(examples, (_, index) => broughtLists(prepared[index]!, taken[index]!), reader, options)
}

/**
 * Fits re-ranking alone, on what a decision brings that is there already, or on what the queries as they are find.
 *
 * @param decision nothing for the queries as they are
 * @param terms those that the decision was trained with
 * @throws QuerentError `cannot-teach`; `bad-config` for a decision that was trained on other features; `aborted`
 */
export async function trainRerankingAlone(
  examples: readonly Example[],
  decision: DecisionSection | undefined,
  terms: TermWeights,
  options: RerankingOptions,
): Promise<RerankSection> {
  checkTeachable(examples)
  const reader = createReader(terms, rememberedDocuments)
  if (decision === undefined) return rerankingOf(examples, async ({ lists }) => lists, reader, options)
  const prepared = await prepareAll(examples, () => decision, reader, {
    signal: options.signal,
    onProgress: (done, total) => options.onProgress?.({ phase: 'candidates', done, total }),
  })
  return trainReranking(prepared, decision.choice, reader, options)
}

async function rerankingOf(
  examples: readonly Example[],
  listsOf: (example: Example, index: number) => Promise<readonly RankedList[]>,
  reader: Reader,
  { seed, signal, onProgress }: RerankingOptions,
): Promise<RerankSection> {
  async function* brought(): AsyncGenerator<RerankExample> {
    for (const [index, example] of examples.entries()) {
      if (index % 16 === 0) await nextTurn()
      checkAborted(signal)
      const { query, golds, documentOf, keys } = example
      const lists = await listsOf(example, index)
      await readPoolOf(example, lists)
      yield { query, lists, golds, documentOf, keys }
    }
  }
  return fitReranker(brought(), reader, {
    seed,
    ...(signal && { signal }),
    onProgress({ step, done, total = examples.length }) {
      const [before, share] = rerankingShares[step]
      const parts = before + share * (done / total)
      onProgress?.({
        phase: 're-ranking',
        done: Math.round((parts / rerankingParts) * examples.length),
        total: examples.length,
      })
    },
  })
}

/** What comes before a step of fitting re-ranking and what it takes itself, measured, in parts of which one is a pass over the queries. */
const rerankingShares = {
  'take in': [0, 1],
  read: [1, 1],
  'fit first': [2, 4],
  second: [6, 1],
  'fit second': [7, 4],
  pair: [11, 1],
  'fit pair': [12, 1],
} as const
const rerankingParts = 13
