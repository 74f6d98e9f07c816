/** The learning curves of all seeds and parts as one. */
import { mean } from '../../src/learn/statistics.ts'
import type { CurvePoint } from './curve-training.ts'
import type { CurveEpoch, CurveStanding, Spread } from './experiments.ts'
import { deviationOf } from './study.ts'
import type { Standing } from './trained-choice.ts'

/** A run that ended earlier has no part in the later epochs. */
export function curveOf(curves: readonly (readonly CurvePoint[])[]): CurveEpoch[] {
  const length = Math.max(0, ...curves.map((curve) => curve.length))
  return Array.from({ length }, (_, epoch) => {
    const points = curves.flatMap((curve) => curve[epoch] ?? [])
    const of = (pick: (point: CurvePoint) => number | undefined): number[] =>
      points.flatMap((point) => pick(point) ?? [])
    const zeroVariance = of((point) => point.zeroVariance)
    const entropy = of((point) => point.entropy)
    return {
      epoch,
      stage: points[0]!.stage,
      training: standing(points.map(({ training }) => training)),
      heldOut: standing(points.map(({ heldOut }) => heldOut)),
      ...(zeroVariance.length > 0 && { zeroVariance: mean(zeroVariance) }),
      ...(entropy.length > 0 && { entropy: mean(entropy) }),
    }
  })
}

function standing(runs: readonly Standing[]): CurveStanding {
  const spread = (pick: (run: Standing) => number): Spread => {
    const values = runs.map(pick)
    return { mean: mean(values), deviation: deviationOf(values) }
  }
  return {
    taken: spread(({ taken }) => taken),
    drawn: spread(({ drawn }) => drawn),
    subQueriesTaken: spread(({ subQueriesTaken }) => subQueriesTaken),
    subQueriesDrawn: spread(({ subQueriesDrawn }) => subQueriesDrawn),
  }
}
