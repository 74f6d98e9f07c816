/** Metrics of answers, over the queries that have accepted answers. */
import { mean } from '../learn/statistics.ts'
import { answerF1, exactMatch } from '../text/answer.ts'
import type { Qrels, SearchResult } from '../types.ts'
import type { Answers } from './answers.ts'
import { recall } from './metrics/measures.ts'
import type { Scores } from './score.ts'

/** An answer and the docids that it was read from. A search that failed or did not answer has neither. */
export interface Answered extends Pick<SearchResult, 'answer' | 'citations'> {
  /** What a judge said of the answer. */
  readonly judged?: number
}

/** Judges an answer: 1 if it means the same as an accepted one, else 0. */
export type Judge = (
  asked: { readonly question: string; readonly answers: readonly string[]; readonly given: string },
  signal: AbortSignal,
) => Promise<number>

/** What an answer is compared with. */
interface Expected {
  readonly accepted: readonly string[]
  readonly grades: ReadonlyMap<string, number>
}

const metrics: Readonly<Record<string, (given: Answered, expected: Expected) => number>> = {
  em: ({ answer }, { accepted }) => (answer === undefined ? 0 : exactMatch(answer, accepted)),
  answer_f1: ({ answer }, { accepted }) => (answer === undefined ? 0 : answerF1(answer, accepted)),
  answered: ({ answer }) => (answer === undefined ? 0 : 1),
  cited_recall: ({ citations = [] }, { grades }) =>
    recall(
      Array.from(new Set(citations), (docid) => ({ docid })),
      grades,
    ),
}

/** The metrics that `scoreAnswers` computes without a judge. */
export const answerMetrics: readonly string[] = Object.keys(metrics)

const judge = 'judge'

/**
 * Computes `em` and `answer_f1` (SQuAD's exact match and token F1, the best over the accepted answers), `answered` (1 with an
 * answer), and `cited_recall` (the share of the relevant documents that the answer cites). A missing answer counts as 0 in
 * all of them. Queries without accepted answers have no values; if no query has any, there are no metrics.
 *
 * @param given qid → answer
 * @param options `isJudged`: also `judge`, what a judge said of each answer. Default: false
 */
export function scoreAnswers(
  given: ReadonlyMap<string, Answered>,
  accepted: Answers,
  qrels: Qrels,
  qids: readonly string[],
  { isJudged = false }: { readonly isJudged?: boolean } = {},
): Pick<Scores, 'values' | 'means'> {
  const scored = qids.filter((qid) => (accepted.get(qid)?.length ?? 0) > 0)
  if (scored.length === 0) return { values: new Map(), means: new Map() }
  const measure = (metric: string, qid: string): number => {
    const answered = given.get(qid) ?? {}
    if (metric === judge) return answered.judged ?? 0
    return metrics[metric]!(answered, { accepted: accepted.get(qid)!, grades: qrels.get(qid) ?? new Map() })
  }
  const measured = isJudged ? [...answerMetrics, judge] : answerMetrics
  const values = new Map(
    measured.map((metric) => [metric, new Map(scored.map((qid) => [qid, measure(metric, qid)]))]),
  )
  return {
    values,
    means: new Map(Array.from(values, ([name, ofQueries]) => [name, mean(ofQueries.values())])),
  }
}
