/**
 * What a plan gains over the unchanged query: the mean of nDCG@10 and recall@5, from −1 to 1. Small networks predict it from the kind of
 * question, what the first documents cover of it, and how sure the best bridges are.
 */
import { prepareMean, type Scorer } from '../../../src/learn/scorer.ts'
import { featureTable } from '../rerank/feature-table.ts'
import { checkInputs } from '../rerank/rerank-section.ts'
import { defaultEffort, efforts } from './effort.ts'
import { evidenceFeatures } from './evidence.ts'
import { type Plan, planNames } from './plans.ts'
import type { SecondStage } from './second-stage.ts'

const ofPlan = featureTable<ReturnType<typeof seePlan>>({
  ...Object.fromEntries(planNames.map((name) => [`plan: ${name}`, ({ name: own }: Plan) => own === name])),
  'plan: texts': ({ texts }) => texts.length / 5,
  'plan: texts found': ({ own }) => sum(own.map(({ found }) => found)),
  'plan: bridges': ({ bridges }) => bridges.length / 3,
  'plan: probability of its bridges': ({ bridges }) => sum(bridges.map(({ probability }) => probability)),
  'plan: gap of its bridges': ({ bridges }) => sum(bridges.map(({ gap }) => gap)),
  'plan: bridges found': ({ bridges }) => sum(bridges.map(({ found }) => found)),
  'plan: seeds of its bridges': ({ bridges }) => new Set(bridges.map(({ from }) => from)).size / 2,
})

const seePlan = ({ name, texts }: Plan) => ({
  name,
  texts,
  bridges: texts.filter(({ from }) => from !== undefined),
  own: texts.filter(({ from }) => from === undefined),
})

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

export const gainInputs: readonly string[] = [...evidenceFeatures, ...ofPlan.names]

/** The networks learn what a plan gains beyond this, so that they spend themselves on the decision at medium effort. */
export const learnedCost = efforts[defaultEffort]

/** How many networks predict the gain; their mean counts. */
export const gainNetworks = 3

/** The inputs for a plan, by `gainInputs`. */
export function gainRow({ evidence }: Pick<SecondStage, 'evidence'>, plan: Plan): Float32Array {
  const row = new Float32Array(gainInputs.length)
  row.set(evidence)
  ofPlan.write(row, evidence.length, seePlan(plan))
  return row
}

/** Returns the predicted gain of each plan. @throws QuerentError `bad-config` if trained on other features */
export function prepareGains(
  scorers: readonly Scorer[],
): (stage: Pick<SecondStage, 'evidence'>, plans: readonly Plan[]) => number[] {
  for (const [index, scorer] of scorers.entries()) checkInputs(`decision.gains[${index}]`, scorer, gainInputs)
  const score = prepareMean(scorers)
  return (stage, plans) => plans.map((plan) => score(gainRow(stage, plan), 1)[0]! + learnedCost)
}
