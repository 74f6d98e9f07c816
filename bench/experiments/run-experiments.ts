/**
 * Was anything learned? The policy is trained again and again on parts of the examples and held against what knows less, on
 * queries whose relevant documents none of its training queries has.
 */
import { createHash } from 'node:crypto'
import { actionInputs } from '../../policies/local/actions.ts'
import type { RewardOptions } from '../../policies/local/training/action-space.ts'
import { defaultChoice, defaultReward } from '../../policies/local/training/defaults.ts'
import { type Example, rememberedDocuments } from '../../policies/local/training/example.ts'
import { QuerentError } from '../../src/errors.ts'
import { checkAborted } from '../../src/runtime/yield.ts'
import { createReader } from '../../src/text/reader.ts'
import type { TermWeights } from '../../src/text/term-weights.ts'
import type { Experiments } from './experiments.ts'
import { type ExperimentsCheckpoint, experimentsOf } from './experiments-checkpoint.ts'
import { runLeftOut } from './left-out.ts'
import { withRememberedSearch } from './remembered-search.ts'
import { type RetrieverSet, runMatrix } from './retriever-matrix.ts'
import { runSeed } from './seed-run.ts'
import { type SummaryOptions, summarize } from './summarize.ts'
import { systemNames } from './systems.ts'
import { ablationsOf, defaultCurriculum, type EpochPlan, filters, fixedNumbers } from './variants.ts'

/**
 * What can be found out beside the comparisons, which are always made: what each part of the policy is good for; what the paper's
 * filters bring; how it does on collections that it was not trained on (two at least); whether it knows its retriever (needs `retrieverSets`); what it takes.
 */
export const experimentNames = ['ablations', 'filters', 'left-out', 'retrievers', 'times'] as const

type ExperimentName = (typeof experimentNames)[number]

export interface ExperimentOptions extends SummaryOptions {
  /** Each has its own parts and its own draws. Default: 1 to 5. */
  readonly seeds?: readonly number[] | undefined
  /** Default: all that the examples allow. */
  readonly which?: readonly ExperimentName[] | undefined
  /** Collections that are left out together. Default: each by itself. */
  readonly leftOut?: readonly (readonly string[])[] | undefined
  /** How decisions are rewarded. Default: `defaultReward`. */
  readonly reward?: RewardOptions | undefined
  /** How long decisions are trained. Default: `defaultChoice.curriculum`. */
  readonly curriculum?: Partial<EpochPlan> | undefined
  /**
   * On how many of a seed's three parts the re-ranker is fitted and measured, too. Default: 1: most of the time goes there. Over
   * five seeds that covers some 7 of 8 queries.
   */
  readonly rerankedParts?: number | undefined
  readonly retrieverSets?: readonly RetrieverSet[] | undefined
  /** What an earlier run with the same examples and options has finished. */
  readonly resume?: ExperimentsCheckpoint | undefined
  /** Called whenever an experiment is finished. */
  readonly onCheckpoint?: ((checkpoint: ExperimentsCheckpoint) => void | Promise<void>) | undefined
  readonly onProgress?: ((progress: ExperimentProgress) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

interface ExperimentProgress {
  /** What is being done, in words. */
  readonly what: string
  /** Experiments done, the one under way as a fraction. */
  readonly done: number
  readonly total: number
}

const defaultSeeds = [1, 2, 3, 4, 5]

/**
 * Runs the experiments: a seed takes about as long as three trainings.
 *
 * @throws QuerentError `cannot-teach` for too few queries; `bad-config` for a checkpoint of other experiments; `aborted`
 */
export async function runExperiments(
  given: readonly Example[],
  terms: TermWeights,
  options: ExperimentOptions = {},
): Promise<Experiments> {
  const {
    seeds = defaultSeeds,
    which = experimentNames,
    reward = defaultReward,
    curriculum: changed,
    rerankedParts = 1,
    retrieverSets = [],
    onCheckpoint,
    onProgress,
    signal,
  } = options
  const curriculum = { ...defaultCurriculum, ...changed }
  const examples = withRememberedSearch(given)
  const sets = retrieverSets.map((set) => ({ ...set, examples: withRememberedSearch(set.examples) }))
  const reader = createReader(terms, rememberedDocuments)
  const collections = [...new Set(examples.map(({ collection }) => collection))]
  const wants = (name: ExperimentName): boolean => which.includes(name)
  const together = options.leftOut ?? collections.map((name) => [name])
  const leftOut = wants('left-out') && collections.length > 1 ? together : []
  const variants = [
    ...(wants('ablations') ? [...ablationsOf(curriculum), ...fixedNumbers] : []),
    ...(wants('filters') ? filters : []),
  ]
  const matrixSeeds = wants('retrievers') && sets.length > 1 ? seeds : []
  const total = seeds.length + leftOut.length + matrixSeeds.length

  const of = experimentsOf(given, {
    ...defaultChoice,
    ...reward,
    ...curriculum,
    inputs: createHash('sha256').update(actionInputs.join()).digest('hex').slice(0, 8),
    rerankedParts,
    variants: variants.map(({ name }) => name),
  })
  let done: ExperimentsCheckpoint = options.resume ?? { of, seeds: {}, leftOut: {}, matrix: {} }
  if (done.of !== of)
    throw new QuerentError(
      'bad-config',
      `The checkpoint is of other experiments: ${done.of}, and not ${of}`,
      {
        remedy: 'Go on with what they were begun with, or begin again without the checkpoint.',
      },
    )
  let finished = 0
  const tell = (what: string, share = 0): void => onProgress?.({ what, done: finished + share, total })
  const keep = async (more: Partial<ExperimentsCheckpoint>): Promise<void> => {
    done = { ...done, ...more }
    await onCheckpoint?.(done)
  }

  for (const seed of seeds) {
    checkAborted(signal)
    const times = wants('times') && seed === seeds[0]
    const known = done.seeds[seed]
    if (known === undefined || (times && known.times === undefined)) {
      const run = await runSeed(examples, reader, {
        seed,
        reward,
        curriculum,
        variants,
        rerankedParts,
        ...(times && { timedExamples: given }),
        signal,
        onProgress: (what, share) => tell(`seed ${seed}: ${what}`, share),
      })
      await keep({ seeds: { ...done.seeds, [seed]: run } })
    }
    finished++
  }
  for (const names of leftOut) {
    checkAborted(signal)
    const key = names.join(', ')
    const finishedSeeds = done.leftOut[key]?.seeds.map(({ seed }) => seed)
    if (finishedSeeds?.join() !== seeds.join()) {
      const run = await runLeftOut(examples, names, reader, {
        seeds,
        reward,
        curriculum,
        signal,
        onStep: (what, share) => tell(`without ${key}: ${what}`, share),
      })
      await keep({ leftOut: { ...done.leftOut, [key]: run } })
    }
    finished++
  }
  for (const seed of matrixSeeds) {
    checkAborted(signal)
    const names = Object.keys(done.matrix[seed]?.usedOn ?? {})
    const isSame = names.join() === sets.map(({ name }) => name).join()
    if (!isSame || done.matrix[seed]?.queries !== sets[0]!.examples.length) {
      const run = await runMatrix(sets, reader, systemNames.asIs, {
        seed,
        reward,
        curriculum,
        rerankedParts,
        signal,
        onStep: (what, share) => tell(`seed ${seed}: ${what}`, share),
      })
      await keep({ matrix: { ...done.matrix, [seed]: run } })
    }
    finished++
  }
  tell('summing up')
  return summarize(
    {
      examples,
      sets,
      reward,
      rerankedParts,
      runs: seeds.map((seed) => done.seeds[seed]!),
      leftOut: leftOut.map((names) => done.leftOut[names.join(', ')]!),
      matrix: matrixSeeds.map((seed) => done.matrix[seed]!),
    },
    options,
  )
}
