/** Cross-fitting: each example is scored, for the next model, by a model that was fitted without it. */

import { fitListwise, type ListwiseOptions, type RankProblem } from '../../../src/learn/listwise.ts'
import { prepareScorer, type Scorer } from '../../../src/learn/scorer.ts'

export interface CrossFit {
  /** Scorers fitted on all problems, one per requested model. */
  readonly scorers: Scorer[]
  /** For each fold, the scorer that was fitted on the other folds. */
  readonly byFold: ReadonlyMap<number, Scorer>
  /** Scores of each problem's rows, by the scorer that was fitted on the other folds. */
  readonly outOfFold: readonly Float64Array[]
}

export interface FitOptions extends ListwiseOptions {
  /** Called after each scorer. */
  readonly onFitted?: () => void
}

/** @param models how many scorers to fit on all problems */
export async function crossFit(
  problems: readonly RankProblem[],
  folds: Int32Array,
  models: number,
  options: FitOptions,
): Promise<CrossFit> {
  const outOfFold: Float64Array[] = []
  const byFold = new Map<number, Scorer>()
  for (const fold of new Set(folds)) {
    const others = problems.filter((_, index) => folds[index] !== fold)
    const scorer = await fitOrNot(others, { ...options, seed: options.seed + 1 + fold })
    byFold.set(fold, scorer)
    options.onFitted?.()
    const score = prepareScorer(scorer)
    problems.forEach(({ features, rows }, index) => {
      if (folds[index] === fold) outOfFold[index] = score(features, rows)
    })
  }
  return { scorers: await fitAll(problems, models, options), byFold, outOfFold }
}

/** Fits several scorers on the same problems, each with its own seed. */
export async function fitAll(
  problems: readonly RankProblem[],
  models: number,
  options: FitOptions,
): Promise<Scorer[]> {
  const scorers: Scorer[] = []
  for (let model = 0; model < models; model++) {
    scorers.push(await fitOrNot(problems, { ...options, seed: options.seed + seedStep * (1 + model) }))
    options.onFitted?.()
  }
  return scorers
}

/** Fits a scorer; without any target, for example because no name led anywhere, one that rates all rows alike. */
async function fitOrNot(problems: readonly RankProblem[], options: ListwiseOptions): Promise<Scorer> {
  if (problems.some(({ targets }) => targets.some((target) => target > 0)))
    return fitListwise(problems, options)
  const zeros = options.inputs.map(() => 0)
  return { inputs: [...options.inputs], mean: zeros, deviation: zeros.map(() => 1), skip: zeros, hidden: [] }
}

/** The distance between the seeds of scorers. It is more than the number of folds. */
const seedStep = 1000
