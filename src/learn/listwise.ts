/**
 * Learning to rank from whole lists: softmax cross-entropy (the top-one probabilities of ListNet: Cao et al., "Learning to
 * rank: from pairwise approach to listwise approach", ICML 2007) of a small network's scores against targets, by Adam.
 */
import { QuerentError } from '../errors.ts'
import { yieldAt } from '../runtime/yield.ts'
import { createAdam } from './adam.ts'
import { checkOption } from './check-option.ts'
import type { Rows, Standard } from './forward-pass.ts'
import { createNetwork, drawParameters, type Network, toScorer } from './network.ts'
import { createRandom, permutation, type Random } from './random.ts'
import type { Scorer } from './scorer.ts'
import { softmax } from './softmax.ts'
import { standardizeParts } from './standardized-rows.ts'

/** One list to be ranked. */
export interface RankProblem {
  /** rows × inputs, row by row. */
  readonly features: Float32Array
  readonly rows: number
  /** One a row, from 0; only their proportions count. A problem whose targets are all 0 is left out. */
  readonly targets: Float32Array
  /** Added to the scores before they are compared, one a row, and not learned. Default: 0. */
  readonly offsets?: Float64Array
}

export interface ListwiseOptions {
  /** The names of the features, in the order of a row. */
  readonly inputs: readonly string[]
  /** ReLU units beside the linear path; 0 for a linear scorer. Default: 16. */
  readonly hidden?: number
  /** Default: 8. */
  readonly epochs?: number
  /** Problems a step. Default: 8. */
  readonly batch?: number
  /** Of the first step; it falls in a straight line to 0. Default: 0.004. */
  readonly learningRate?: number
  /** This times each weight, biases excepted, is added to its gradient. Default: 1e-4. */
  readonly l2?: number
  /** Decides the first weights, the order of the problems, and which rows are left out. */
  readonly seed: number
  /**
   * A problem with more rows is trained on so many: all that have a target, half of the remaining room for the first of the
   * others, the other half for a random choice of them. Default: all rows.
   */
  readonly mostRows?: number
  readonly signal?: AbortSignal
}

/**
 * Fits a scorer. The same problems, options and seed give the same scorer, rounded to 6 significant digits.
 *
 * @throws QuerentError `bad-config` for options out of range, features or targets that do not fit or are not finite, or
 * no problem that has a target; `aborted`
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
    mostRows = Infinity,
    signal,
  }: ListwiseOptions,
): Promise<Scorer> {
  checkOption('hidden', hidden, Number.isInteger(hidden) && hidden >= 0, 'a whole number from 0')
  checkOption('epochs', epochs, Number.isInteger(epochs) && epochs >= 1, 'a whole number from 1')
  checkOption('batch', batch, Number.isInteger(batch) && batch >= 1, 'a whole number from 1')
  checkOption('learningRate', learningRate, learningRate > 0, 'above 0')
  checkOption('l2', l2, l2 >= 0, 'from 0')
  checkOption('mostRows', mostRows, mostRows >= 2, 'at least 2')
  const random = createRandom(seed)
  const { lists, standard, longest } = prepareLists(problems, inputs, mostRows, random)

  const shape = { inputs: inputs.length, hidden }
  const network = createNetwork(shape, drawParameters(shape, random, 1), longest)
  const { parameters, gradient } = network
  const adam = createAdam(parameters.length)
  const learnFrom = createTeacher(network, longest)
  const steps = epochs * Math.ceil(lists.length / batch)
  let step = 0

  for (let epoch = 0; epoch < epochs; epoch++) {
    const order = permutation(lists.length, random)
    for (let start = 0; start < order.length; start += batch) {
      await yieldAt(step, signal)
      const chosen = order.subarray(start, start + batch)
      gradient.fill(0)
      for (const index of chosen) learnFrom(lists[index]!, chosen.length)
      network.decay(l2)
      adam.step(parameters, gradient, learningRate * (1 - step / steps))
      step++
    }
  }
  return toScorer(inputs, standard, hidden, parameters)
}

/** A problem, ready: targets that sum to 1, rows that are standardised. */
interface List {
  readonly rows: Rows
  readonly targets: Float64Array
  readonly offsets: Float64Array | undefined
}

function prepareLists(
  problems: readonly RankProblem[],
  inputs: readonly string[],
  mostRows: number,
  random: Random,
): { readonly lists: readonly List[]; readonly standard: Standard; readonly longest: number } {
  for (const [index, problem] of problems.entries()) checkProblem(problem, index, inputs.length)
  const taught = problems.filter(({ targets }) => targets.some((one) => one > 0))
  if (taught.length === 0)
    throw new QuerentError('bad-config', 'No problem has a target above 0: there is nothing to learn', {
      remedy: 'Give judged queries whose relevant documents are among the rows.',
    })
  const parts = taught.map((problem) => ({
    features: problem.features,
    rows: chooseRows(problem, mostRows, random),
  }))
  const { tables, ...standard } = standardizeParts(parts, inputs)
  const lists = taught.map(({ targets, offsets }, index): List => {
    const { rows } = parts[index]!
    const chosen = Float64Array.from(rows, (row) => targets[row]!)
    const sum = chosen.reduce((total, target) => total + target, 0)
    return {
      rows: tables[index]!,
      targets: chosen.map((target) => target / sum),
      offsets: offsets && Float64Array.from(rows, (row) => offsets[row]!),
    }
  })
  return { lists, standard, longest: parts.reduce((most, { rows }) => Math.max(most, rows.length), 0) }
}

/** The rows of a problem that are trained on, in their order. */
function chooseRows({ rows, targets }: RankProblem, most: number, random: Random): Int32Array {
  const all = Int32Array.from({ length: rows }, (_, row) => row)
  if (rows <= most) return all
  const others = all.filter((row) => targets[row] === 0)
  const room = Math.max(0, most - (rows - others.length))
  const first = Math.ceil(room / 2)
  const left = permutation(others.length - first, random).subarray(0, room - first)
  const chosen = new Set([...others.subarray(0, first), ...left.map((index) => others[first + index]!)])
  return all.filter((row) => targets[row]! > 0 || chosen.has(row))
}

/** Makes the function that adds the gradient of one list's loss, divided by `share`. */
function createTeacher(network: Network, longest: number): (list: List, share: number) => void {
  const scores = new Float64Array(longest)
  const slopes = new Float64Array(longest)
  return ({ rows, targets, offsets }, share) => {
    const { count } = rows
    network.forward(rows, scores)
    if (offsets !== undefined) for (let row = 0; row < count; row++) scores[row]! += offsets[row]!
    softmax(scores, count, slopes)
    for (let row = 0; row < count; row++) slopes[row] = (slopes[row]! - targets[row]!) / share
    network.backward(rows, slopes)
  }
}

function checkProblem(
  { features, rows, targets, offsets }: RankProblem,
  index: number,
  inputs: number,
): void {
  const faults: readonly (readonly [isSo: boolean, words: string])[] = [
    [
      features.length !== rows * inputs,
      `${features.length} features, and not ${rows} rows × ${inputs} inputs`,
    ],
    [targets.length !== rows, `${targets.length} targets for ${rows} rows`],
    [
      !targets.every((target) => target >= 0 && target < Infinity),
      'a target that is not a finite number from 0',
    ],
    [offsets !== undefined && offsets.length !== rows, `${offsets?.length} offsets for ${rows} rows`],
  ]
  const fault = faults.find(([isSo]) => isSo)
  if (fault !== undefined) throw new QuerentError('bad-config', `Problem ${index} has ${fault[1]}`)
}
