/** Tuning on judged queries: tries every candidate, as ranx does. The last of equally good candidates wins. */
import { QuerentError } from '../src/errors.ts'
import type { FuseOptions, Fusion, Run } from '../src/types.ts'
import { fuseRuns } from './fuse-runs.ts'
import { rrf } from './rrf.ts'

/** Scores a fused run; higher is better. For example, nDCG@10 on the judged queries. */
export type ScoreRun = (run: Run) => number

/** The best candidate and its score. */
export interface Tuned<T> {
  readonly best: T
  readonly score: number
}

/**
 * Finds the weights with the best score among all that are multiples of `step` and sum to 1. With a step of 0.1, there are 11
 * candidates for two runs, 66 for three and 1001 for five.
 *
 * @param options.step 1 / step must be a whole number. Default: 0.1
 * @throws QuerentError `bad-config` for other steps; `bad-weights` for a fusion that cannot use weights
 */
export function fitWeights(
  fusion: Fusion,
  runs: readonly Run[],
  scoreRun: ScoreRun,
  { step = 0.1, ...fuseOptions }: { readonly step?: number } & Omit<FuseOptions, 'weights'> = {},
): Tuned<readonly number[]> {
  const parts = Math.round(1 / step)
  if (!(parts >= 1 && Math.abs(parts * step - 1) < 1e-9)) {
    throw new QuerentError(
      'bad-config',
      `The step of the weights is ${step}, but 1 / step must be a whole number`,
    )
  }
  // Combined as integers: as floats, some combinations would not sum to 1.
  const candidates = shares(parts, runs.length).map((share) => share.map((part) => part / parts))
  return bestOf(candidates, (weights) => scoreRun(fuseRuns(fusion, runs, { ...fuseOptions, weights })))
}

/**
 * Finds the k of RRF with the best score.
 *
 * @param candidates default: 10, 20, … 100
 */
export function fitRrf(
  runs: readonly Run[],
  scoreRun: ScoreRun,
  candidates: readonly number[] = Array.from({ length: 10 }, (_, index) => (index + 1) * 10),
): Tuned<number> {
  return bestOf(candidates, (k) => scoreRun(fuseRuns(rrf({ k }), runs)))
}

/** All ways to divide `parts` among `count`, in ascending order of the first shares. */
function shares(parts: number, count: number): number[][] {
  if (count <= 1) return [[parts]]
  return Array.from({ length: parts + 1 }, (_, first) =>
    shares(parts - first, count - 1).map((rest) => [first, ...rest]),
  ).flat()
}

function bestOf<T>(candidates: readonly T[], scoreOf: (candidate: T) => number): Tuned<T> {
  const [first, ...others] = candidates
  if (first === undefined) throw new QuerentError('bad-config', 'There are no candidates to choose from')
  let tuned: Tuned<T> = { best: first, score: scoreOf(first) }
  for (const best of others) {
    const score = scoreOf(best)
    if (score >= tuned.score) tuned = { best, score }
  }
  return tuned
}
