/** What the experiments found: plain JSON, from which page and tables are made. */

import type { RewardOptions } from '../../policies/local/training/action-space.ts'
import type { Verdict } from '../../src/evaluation/comparison.ts'
import type { MeasureName } from './measures.ts'
import type { Times } from './times.ts'

/** The reference of a study less the row, over the queries that both were measured on. */
export interface Difference {
  readonly mean: number
  /** The paired 95 % bootstrap interval of the mean. */
  readonly low: number
  readonly high: number
  /** Two-sided, of the paired randomization test. */
  readonly p: number
  /** `p` after Holm's correction over all rows and groups of the study, for this measure and column. */
  readonly pHolm: number
  /** Of the reference: `better` than the row, `worse`, or `unclear`, which is no difference shown. */
  readonly verdict: Verdict
}

export interface Cell {
  /** Over queries, each the mean over its seeds. */
  readonly mean: number
  /** Of the seeds' means. */
  readonly deviation: number
  /** Absent for the reference itself. */
  readonly difference?: Difference
}

export type Cells = Readonly<Record<MeasureName, Cell>>

/** One system on one group of queries. */
export interface Row {
  readonly name: string
  /** The chosen sub-queries, fused. */
  readonly alone: Cells
  /** The same after re-ranking. Absent where it was not measured. */
  readonly reranked?: Cells
  /** Mean number of sub-queries. */
  readonly subQueries: number
  /** The share of the queries without any sub-query. */
  readonly leftAlone: number
  /** The share of the queries without sub-queries made from what the query as it is found. */
  readonly oneStage: number
  /** The share of the queries for which re-ranking makes no second request. */
  readonly oneRequest: number
}

export interface Group {
  readonly name: string
  readonly queries: number
  /** Of them, measured after re-ranking. */
  readonly reranked: number
  readonly rows: readonly Row[]
}

/** One question, asked of several groups of queries: what the reference does, and what the others do. */
export interface Study {
  /** The row that the others are held against. */
  readonly reference: string
  /** Differences with a lower p are significant. */
  readonly alpha: number
  readonly groups: readonly Group[]
}

/** What the learned policy decided for a group of queries. */
export interface DecisionGroup {
  readonly name: string
  readonly queries: number
  readonly leftAlone: number
  readonly oneStage: number
  readonly subQueries: number
  /** Whether the query as it is votes, and whether there is a sub-query of each kind: the share of the queries. */
  readonly parts: Readonly<Record<string, number>>
}

/** A mean over runs, and the runs' standard deviation. */
export interface Spread {
  readonly mean: number
  readonly deviation: number
}

/** An epoch of the decision's training, over all seeds and parts. Epoch 0 is before training. */
export interface CurveEpoch {
  readonly epoch: number
  readonly stage: 1 | 2
  readonly training: CurveStanding
  readonly heldOut: CurveStanding
  readonly zeroVariance?: number
  readonly entropy?: number
}

/** `taken`: of the best-scored choices; `drawn`: expected of choices drawn as in training. */
export interface CurveStanding {
  readonly taken: Spread
  readonly drawn: Spread
  readonly subQueriesTaken: Spread
  readonly subQueriesDrawn: Spread
}

/** What a setting of the learned policy costs and finds on all queries, means over seeds; re-ranked where that was measured. */
export interface RequestPoint {
  readonly name: string
  readonly alone: RequestStanding
  readonly reranked?: RequestStanding
}

interface RequestStanding {
  /** The share of the queries with a second request. */
  readonly requests: number
  readonly found: Readonly<Record<MeasureName, number>>
  /** Rival → what it finds with as many requests. */
  readonly rivals: Readonly<Record<string, Readonly<Record<MeasureName, number>>>>
}

interface ExperimentsSetup {
  readonly collections: readonly { readonly name: string; readonly queries: number }[]
  readonly retrievers: readonly string[]
  readonly seeds: readonly number[]
  readonly parts: number
  readonly rerankedParts: number
  readonly reward: RewardOptions
  readonly rounds: number
  readonly samples: number
  readonly alpha: number
}

export interface Experiments {
  readonly version: 1
  readonly setup: ExperimentsSetup
  /** The learned policy against what knows less: on all queries, and on each collection. */
  readonly comparison: Study
  /** The learned policy against rivals that send as many requests. */
  readonly equalRequests: Study
  readonly requestCurve: readonly RequestPoint[]
  readonly curve: readonly CurveEpoch[]
  readonly decisions: {
    readonly byType: readonly DecisionGroup[]
    readonly byCollection: readonly DecisionGroup[]
  }
  /** Templates that were the best fixed set, and of how many parts. */
  readonly fixedSets: readonly { readonly template: string; readonly parts: number }[]
  readonly byType: Study
  readonly byGolds: Study
  readonly byDifficulty: Study
  readonly ablations?: Study
  /** Always one, two or three sub-queries against the chosen number. */
  readonly numbers?: Study
  /** Stage II on the queries that the paper's filters keep, with a gate. */
  readonly filters?: Study
  /** What the paper's filter kept for Stage II. */
  readonly filtered?: { readonly kept: number; readonly of: number }
  readonly leftOut?: Study
  readonly retrievers?: Study
  readonly times?: Times
  /** Seconds of training, the mean of the seeds: of a second stage and candidates for all queries, else of a part. */
  readonly seconds: Readonly<Record<string, number>>
}
