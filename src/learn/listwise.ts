/**
 * Listwise learning to rank: trains a small network with Adam. The loss is the softmax cross-entropy between its scores and
 * the targets (the top-one probabilities of ListNet: Cao et al., "Learning to rank: from pairwise approach to listwise
 * approach", ICML 2007).
 */
import { QuerentError } from '../errors.ts'
import { checkOption } from './check-option.ts'
import { checkFitOptions, fitNetwork } from './fit-network.ts'
import type { Standard } from './forward-pass.ts'
import { createNetwork, drawParameters, type Network, rounded, toScorer } from './network.ts'
import type { Rows } from './products.ts'
import { createRandom, permutation, type Random } from './random.ts'
import type { Scorer } from './scorer.ts'
import { softmax } from './softmax.ts'
import { standardizeParts } from './standardized-rows.ts'
import { mean } from './statistics.ts'

/** One list to rank. */
export interface RankProblem {
  /** rows × inputs, row by row. */
  readonly features: Float32Array
  readonly rows: number
  /** One per row, at least 0. Only their proportions matter. A problem whose targets are all 0 is skipped. */
  readonly targets: Float32Array
  /** One per row, added to the scores before the softmax and not learned. Default: 0. */
  readonly offsets?: Float64Array
}

export interface ListwiseOptions {
  /** The names of the features, in the order of a row. */
  readonly inputs: readonly string[]
  /** ReLU units beside the linear path and the constant; 0 for a linear scorer. Default: 16. */
  readonly hidden?: number
  /** Default: 8. */
  readonly epochs?: number
  /** Problems per step. Default: 8. */
  readonly batch?: number
  /** Learning rate of the first step; it decreases linearly to 0. Default: 0.004. */
  readonly learningRate?: number
  /** Weight decay: adds this factor times each weight, except biases, to the gradient. Default: 1e-4. */
  readonly l2?: number
  /** Determines the initial weights, the order of the problems, and the sampled rows. */
  readonly seed: number
  /**
   * Maximum number of rows per problem. A longer problem keeps all rows with a target. The first of its other rows take half
   * of the remaining places, and a random sample of the rest takes the other half. Default: no limit.
   */
  readonly maxRows?: number
  readonly signal?: AbortSignal
}

/**
 * Fits a scorer. Its scores on the training rows have the mean 0, where all problems count the same. The same problems, options
 * and seed give the same scorer, rounded to 3 or 4 significant digits.
 *
 * @throws QuerentError `bad-config` for options out of range, features or targets of the wrong length or not finite, or if
 *   no problem has a target; `aborted`
 */
export async function fitListwise(
  problems: readonly RankProblem[],
  {
    inputs,
    hidden = 16,
    epochs = 8,
    batch = 8,
    learningRate = 0.004,
    l2 = 1e-4,
    seed,
    maxRows = Infinity,
    signal,
  }: ListwiseOptions,
): Promise<Scorer> {
  const options = { hidden, epochs, batch, learningRate, l2 }
  checkFitOptions(options)
  checkOption('maxRows', maxRows, maxRows >= 2, 'at least 2')
  const random = createRandom(seed)
  const { lists, standard, longest } = prepareLists(problems, inputs, maxRows, random)
  const shape = { inputs: inputs.length, hidden }
  const network = createNetwork(shape, drawParameters(shape, random, 1), longest)
  const addGradient = gradientOf(network, longest)
  const addAll = (chosen: Int32Array): void => {
    for (const index of chosen) addGradient(lists[index]!, chosen.length)
  }
  await fitNetwork(network, lists.length, addAll, options, random, signal)
  return shiftScores(
    toScorer(inputs, standard, hidden, network.parameters),
    -meanScore(network, lists, longest),
  )
}

/** The mean of the lists' mean scores. */
function meanScore(network: Network, lists: readonly List[], longest: number): number {
  const scores = new Float64Array(longest)
  const means = lists.map(({ rows }) => {
    network.forward(rows, scores)
    return mean(scores.subarray(0, rows.count))
  })
  return mean(means)
}

/**
 * Adds a constant to all scores, by a unit that is always on. The loss depends on differences only, and leaves the height of the
 * scores to chance: readers of single scores would find another height in each network.
 */
const shiftScores = (scorer: Scorer, shift: number): Scorer => ({
  ...scorer,
  hidden: [...scorer.hidden, { bias: 1, weights: scorer.inputs.map(() => 0), out: rounded(shift) }],
})

/** A problem prepared for training: its targets sum to 1 and its rows are standardized. */
interface List {
  readonly rows: Rows
  readonly targets: Float64Array
  readonly offsets: Float64Array | undefined
}

function prepareLists(
  problems: readonly RankProblem[],
  inputs: readonly string[],
  maxRows: number,
  random: Random,
): { readonly lists: readonly List[]; readonly standard: Standard; readonly longest: number } {
  for (const [index, problem] of problems.entries()) checkProblem(problem, index, inputs.length)
  const withTargets = problems.filter(({ targets }) => targets.some((target) => target > 0))
  if (withTargets.length === 0)
    throw new QuerentError('bad-config', 'No problem has a target above 0: there is nothing to learn', {
      remedy: 'Give judged queries whose relevant documents are among the rows.',
    })
  const parts = withTargets.map((problem) => ({
    features: problem.features,
    rows: chooseRows(problem, maxRows, random),
  }))
  const { tables, ...standard } = standardizeParts(parts, inputs)
  const lists = withTargets.map(({ targets, offsets }, index): List => {
    const { rows } = parts[index]!
    const chosen = Float64Array.from(rows, (row) => targets[row]!)
    const sum = chosen.reduce((total, target) => total + target, 0)
    return {
      rows: tables[index]!,
      targets: chosen.map((target) => target / sum),
      offsets: offsets && Float64Array.from(rows, (row) => offsets[row]!),
    }
  })
  return { lists, standard, longest: parts.reduce((max, { rows }) => Math.max(max, rows.length), 0) }
}

/** The rows of a problem to train on, in ascending order. */
function chooseRows({ rows, targets }: RankProblem, maxRows: number, random: Random): Int32Array {
  const all = Int32Array.from({ length: rows }, (_, row) => row)
  if (rows <= maxRows) return all
  const others = all.filter((row) => targets[row] === 0)
  const room = Math.max(0, maxRows - (rows - others.length))
  const first = Math.ceil(room / 2)
  const sampled = permutation(others.length - first, random).subarray(0, room - first)
  const chosen = new Set([...others.subarray(0, first), ...sampled.map((index) => others[first + index]!)])
  return all.filter((row) => targets[row]! > 0 || chosen.has(row))
}

/** Returns a function that adds the gradient of one list's loss, divided by `count`, to the network's gradient. */
function gradientOf(network: Network, longest: number): (list: List, count: number) => void {
  const scores = new Float64Array(longest)
  const scoreGradient = new Float64Array(longest)
  return ({ rows, targets, offsets }, count) => {
    network.forward(rows, scores)
    if (offsets !== undefined) for (let row = 0; row < rows.count; row++) scores[row]! += offsets[row]!
    softmax(scores, rows.count, scoreGradient)
    for (let row = 0; row < rows.count; row++)
      scoreGradient[row] = (scoreGradient[row]! - targets[row]!) / count
    network.backward(rows, scoreGradient)
  }
}

function checkProblem(
  { features, rows, targets, offsets }: RankProblem,
  index: number,
  inputs: number,
): void {
  const faults: readonly (readonly [isFault: boolean, message: string])[] = [
    [features.length !== rows * inputs, `${features.length} features for ${rows} rows × ${inputs} inputs`],
    [targets.length !== rows, `${targets.length} targets for ${rows} rows`],
    [
      !targets.every((target) => target >= 0 && target < Infinity),
      'a target that is not a finite number from 0',
    ],
    [offsets !== undefined && offsets.length !== rows, `${offsets?.length} offsets for ${rows} rows`],
  ]
  const fault = faults.find(([isFault]) => isFault)
  if (fault !== undefined) throw new QuerentError('bad-config', `Problem ${index} has ${fault[1]}`)
}
