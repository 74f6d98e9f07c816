/**
 * `querent/evaluation`: metrics, judged collections and runs, and comparisons with paired tests.
 *
 * @module querent/evaluation
 */

export { type AnswerNormalization, answerF1, exactMatch } from '../text/answer.ts'
export { type Answered, answerMetrics, type Judge, scoreAnswers } from './answer-metrics.ts'
export { type Answers, readAnswers } from './answers.ts'
export { assertHolds, toHold } from './assert-holds.ts'
export { type Baseline, baselineOf, type Measured, readBaseline, writeBaseline } from './baseline.ts'
export { readQueries, writeBeirQrels, writeCorpus, writeQueries } from './beir.ts'
export { type BeirCollection, type BeirFiles, type BeirOptions, findBeir, readBeir } from './beir-folder.ts'
export { compare, type EvaluatedSystem } from './compare.ts'
export type {
  CompareOptions,
  Comparison,
  ComparisonSetup,
  CostComparison,
  CostScore,
  Difference,
  MetricScore,
  QueryComparison,
  QueryResult,
  SystemComparison,
  Verdict,
} from './comparison.ts'
export { type CorpusOddity, type CorpusOptions, readCorpus } from './corpus.ts'
export type { CorpusFormat } from './corpus-formats.ts'
export { defaultMetrics } from './default-metrics.ts'
export { type EvaluateOptions, type Evaluation, evaluate, type Search } from './evaluate.ts'
export { evaluateRun } from './evaluate-run.ts'
export { type Check, type CheckedQuery, checksOf, type Limits } from './gate.ts'
export type { NamedBytes, ReadOptions, Source } from './lines.ts'
export type { Grades, Ranking } from './metrics/judgments.ts'
export { type Metric, metricNames, parseMetric } from './metrics.ts'
export type { MovedDocument } from './moved-documents.ts'
export { report } from './report.ts'
export { type Scores, scoreRun } from './score.ts'
export {
  type BootstrapOptions,
  bootstrapDifference,
  bootstrapMean,
  holm,
  type Interval,
  type RandomizationOptions,
  type RandomizationResult,
  randomizationTest,
} from './significance.ts'
export { type EvaluationSummary, type Percentiles, type StrategyFigures, summarize } from './summary.ts'
export type { TraceDigest } from './trace-digest.ts'
export { readQrels, readRun, writeQrels, writeRun } from './trec.ts'
