/** What a comparison of systems gives: every metric of every system, with what may be chance, and every query. */
import type { DecisionKind, Times } from '../types.ts'
import type { EvaluationSummary } from './summary.ts'

/** What was compared, in words for the reader: none of it changes a number. */
export interface ComparisonSetup {
  /** The name of the collection. */
  readonly collection: string
  readonly split?: string | undefined
  /** How many hits each search was asked for. */
  readonly k: number
  /** How many hits a leg could have. */
  readonly depth: number
  /** The day of the comparison as it is to be printed. Nothing looks at the clock. */
  readonly date?: string | undefined
  /** What else all systems had in common, such as `{ retrievers: 'bm25', 'chat model': '…' }`. */
  readonly settings?: Readonly<Record<string, string>>
}

export interface CompareOptions {
  /** How many assignments of signs a test tries where it cannot try all. Default: 10,000. */
  readonly rounds?: number
  /** How many samples an interval is made from. Default: 2,000. */
  readonly samples?: number
  /** Default: 1. */
  readonly seed?: number
  /** The level that corrected p-values must stay below to be called a difference. Default: 0.05. */
  readonly alpha?: number
}

/** A system against the baseline in one metric. All differences are system − baseline. */
export interface Difference {
  readonly mean: number
  /** The paired 95 % bootstrap interval of the mean. */
  readonly low: number
  readonly high: number
  /** Two-sided, of the paired randomization test. */
  readonly p: number
  /** `p` after Holm's correction over all comparisons of the table: every metric of every system. */
  readonly pHolm: number
  readonly verdict: Verdict
  /** How many queries are above, at and below the baseline's value. */
  readonly wins: number
  readonly ties: number
  readonly losses: number
}

/** `unclear`: the difference may be chance, and says nothing in either direction. */
export type Verdict = 'better' | 'worse' | 'unclear'

export interface MetricScore {
  readonly metric: string
  readonly mean: number
  /** The 95 % bootstrap interval of the mean. */
  readonly low: number
  readonly high: number
  /** Absent for the baseline. */
  readonly versusBaseline?: Difference
}

export interface SystemComparison {
  readonly name: string
  /** One a metric, in the order of `Comparison.metrics`. */
  readonly scores: readonly MetricScore[]
  /** Decisions, latency, tokens, failures: the evaluation's own summary. */
  readonly summary: EvaluationSummary
}

/** What one system made of one query. */
export interface QueryResult {
  /** Metric → value. */
  readonly values: Readonly<Record<string, number>>
  /** Metric → value − the baseline's value. Absent for the baseline. */
  readonly differences?: Readonly<Record<string, number>>
  /** The sub-queries' texts. */
  readonly subQueries: readonly string[]
  /** Absent where the search failed altogether. */
  readonly kind?: DecisionKind
  readonly times?: Times
  /** The code of the error because of which the original query's results were returned. */
  readonly fallback?: string
}

export interface QueryComparison {
  readonly qid: string
  /** Absent where the search failed in every system. */
  readonly text?: string
  /** How many turns of a conversation came before it. Absent where there were none. */
  readonly turns?: number
  /** One a system, in the order of `Comparison.systems`. */
  readonly results: readonly QueryResult[]
}

/** Plain data: it survives `JSON.stringify`. */
export interface Comparison {
  readonly setup: ComparisonSetup
  readonly method: Required<CompareOptions> & {
    /** How many p-values Holm's correction was made over. */
    readonly comparisons: number
  }
  readonly metrics: readonly string[]
  /** The baseline first. */
  readonly systems: readonly SystemComparison[]
  /** In the order in which they were evaluated. */
  readonly queries: readonly QueryComparison[]
}
