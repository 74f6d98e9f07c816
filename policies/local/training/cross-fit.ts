/** Fitting a model whose answers teach the next one: every example is answered by models that were fitted without it. */

import { fitListwise, type ListwiseOptions, type RankProblem } from '../../../src/learn/listwise.ts'
import type { Scorer } from '../../../src/learn/scorer.ts'
import { prepareMean, type Score } from '../rerank/scoring.ts'

export interface CrossFit {
  /** Fitted on all problems, from as many seeds as were asked for. */
  readonly scorers: Scorer[]
  /** Of each fold, by its number, the scorer that was fitted on the others. */
  readonly byFold: ReadonlyMap<number, Scorer>
  /** Scores of each problem's rows by a scorer that was fitted on the other folds. */
  readonly outOfFold: readonly Float64Array[]
}

export interface FitOptions extends ListwiseOptions {
  /** Called after each scorer. */
  readonly onFitted?: () => void
}

/**
 * @param folds of each problem
 * @param models how many scorers are fitted on all problems
 */
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
    const score: Score = prepareMean([scorer])
    problems.forEach(({ features, rows }, index) => {
      if (folds[index] === fold) outOfFold[index] = score(features, rows)
    })
  }
  return { scorers: await fitAll(problems, models, options), byFold, outOfFold }
}

/** Several scorers on the same problems, each from a seed of its own. */
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

/** Fits a scorer; one that finds all rows alike where no problem has a target: no name in the documents led anywhere, say. */
async function fitOrNot(problems: readonly RankProblem[], options: ListwiseOptions): Promise<Scorer> {
  if (problems.some(({ targets }) => targets.some((target) => target > 0)))
    return fitListwise(problems, options)
  const zeros = options.inputs.map(() => 0)
  return { inputs: [...options.inputs], mean: zeros, deviation: zeros.map(() => 1), skip: zeros, hidden: [] }
}

/** Between the seeds of scorers, more than there are folds. */
const seedStep = 1000
