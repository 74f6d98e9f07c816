/** The result of a comparison: each system's value, interval and significance in every metric, and the values of every query. */
import type { DecisionKind, Times } from '../types.ts'
import type { MovedDocument } from './moved-documents.ts'
import type { Interval } from './significance.ts'
import type { EvaluationSummary } from './summary.ts'

/** Describes the comparison for the reader. None of these fields changes a number. */
export interface ComparisonSetup {
  /** The name of the collection. */
  readonly collection: string
  readonly split?: string | undefined
  /** Number of hits requested per search. */
  readonly k: number
  /** Number of hits requested per leg. */
  readonly depth: number
  /** The date to print. Reports do not read the clock. */
  readonly date?: string | undefined
  /** Other settings that all systems share, such as `{ retrievers: 'bm25', 'chat model': '…' }`. */
  readonly settings?: Readonly<Record<string, string>>
}

export interface CompareOptions {
  /** Random sign assignments per test, if there are too many to try all. Default: 10,000. */
  readonly rounds?: number
  /** Bootstrap samples per interval. Default: 2,000. */
  readonly samples?: number
  /** Default: 1. */
  readonly seed?: number
  /** Significance level: a difference is significant if its corrected p-value is below. Default: 0.05. */
  readonly alpha?: number
}

/** One system compared with the baseline in one metric. All differences are system − baseline. */
export interface Difference {
  readonly mean: number
  /** The paired 95 % bootstrap interval of the mean. */
  readonly low: number
  readonly high: number
  /** Two-sided p-value of the paired randomization test. */
  readonly p: number
  /** `p` after Holm's correction over all comparisons of the table (metrics × systems). */
  readonly pHolm: number
  readonly verdict: Verdict
  /** Number of queries above (`wins`), equal to (`ties`) and below (`losses`) the baseline's value. */
  readonly wins: number
  readonly ties: number
  readonly losses: number
}

/** `unclear`: the difference may be chance and is evidence for neither system. */
export type Verdict = 'better' | 'worse' | 'unclear'

export interface MetricScore {
  readonly metric: string
  /** Number of queries that have a value. Metrics of answers leave out queries without accepted answers. */
  readonly queries: number
  readonly mean: number
  /** The 95 % bootstrap interval of the mean. */
  readonly low: number
  readonly high: number
  /** Absent for the baseline. */
  readonly versusBaseline?: Difference
}

/** What the searches of one system cost, for one query on average. */
export interface CostScore extends Interval {
  /** System − baseline. Absent for the baseline. */
  readonly versusBaseline?: Interval & Pick<Difference, 'p' | 'pHolm'>
}

/** One cost of all systems. `pHolm` is corrected over all costs × systems, apart from the metrics. */
export interface CostComparison {
  /** `asks` (prompts), `rounds` (requests to the retrievers after that of the original query), `tokens` or `usd`. */
  readonly cost: string
  /** Number of queries whose search succeeded in every system: only these count. */
  readonly queries: number
  /** One per system, in the order of `Comparison.systems`. */
  readonly systems: readonly CostScore[]
}

export interface SystemComparison {
  readonly name: string
  /** One per metric, in the order of `Comparison.metrics`. */
  readonly scores: readonly MetricScore[]
  /**
   * The mean share of the first ten hits that have a judgment, from 0 to 1. The others count as irrelevant, so scores of systems
   * can be compared only if their shares are alike.
   */
  readonly 'judged@10': number
  /** Decisions, latency, tokens and failures, from the system's evaluation. */
  readonly summary: EvaluationSummary
}

/** The result of one system for one query. */
export interface QueryResult {
  /** Metric → value. Metrics that have no value for the query are absent. */
  readonly values: Readonly<Record<string, number>>
  /** Metric → value − the baseline's value. Absent for the baseline. */
  readonly differences?: Readonly<Record<string, number>>
  /** The sub-queries' texts. */
  readonly subQueries: readonly string[]
  /** Absent if the search failed. */
  readonly kind?: DecisionKind
  readonly times?: Times
  /** The code of the error that caused the fallback to the original query's results. */
  readonly fallback?: string
  /** The relevant documents that moved most, at most 4. Absent for the baseline, and if none moved. */
  readonly moved?: readonly MovedDocument[]
}

export interface QueryComparison {
  readonly qid: string
  /** Absent if only the identifier is known. */
  readonly text?: string
  /** Number of conversation turns before the query. Absent if there are none. */
  readonly turns?: number
  /** One per system, in the order of `Comparison.systems`. */
  readonly results: readonly QueryResult[]
}

/** Plain data that survives `JSON.stringify`. */
export interface Comparison {
  readonly setup: ComparisonSetup
  readonly method: Required<CompareOptions> & {
    /** Number of p-values that Holm's correction covers. */
    readonly comparisons: number
  }
  readonly metrics: readonly string[]
  /** The baseline comes first. */
  readonly systems: readonly SystemComparison[]
  /** Costs that at least one system has. */
  readonly costs: readonly CostComparison[]
  /** In the order of the evaluation. */
  readonly queries: readonly QueryComparison[]
}
