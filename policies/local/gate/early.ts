/**
 * The early gate: leaves a query alone by its wording and by the scores of its hits. The documents have been fetched by then, and the
 * first ones checked for the title that the query may ask for; the others are not read, and no names and candidates are made. It
 * predicts the full decision, and acts only when nearly certain.
 */
import { prepareScorer, type Scorer } from '../../../src/learn/scorer.ts'
import type { Reader } from '../../../src/text/reader.ts'
import type { Query, RankedList } from '../../../src/types.ts'
import { questionOf } from '../rerank/pool-cache.ts'
import { checkInputs } from '../rerank/rerank-section.ts'
import { wordingFeatures, writeWording } from './wording.ts'

/** Scores are those of the first ten hits, which a page of any search has. */
export const earlyInputs: readonly string[] = [
  ...wordingFeatures,
  'scores: second ÷ first',
  'scores: fifth ÷ first',
  'scores: tenth ÷ first',
  'scores: first ÷ words of the query',
  'scores: hits',
  'conversation',
]

/** A trained early gate. Plain JSON. */
export interface EarlyGate {
  /** The log odds that the query is left alone, by `earlyInputs`. */
  readonly scorer: Scorer
  /** Queries with log odds above this are left alone. */
  readonly threshold: number
}

/** @param lists of the original query */
export function earlyRow(query: Query, lists: readonly RankedList[], reader: Reader): Float32Array {
  const { text, history = [] } = query
  reader.begin()
  const question = questionOf(query, reader)
  const row = new Float32Array(earlyInputs.length)
  writeWording(row, 0, text, question, reader.lexicon)
  const { hits = [] } = lists.find(({ kind = 'lexical' }) => kind === 'lexical') ?? lists[0] ?? {}
  const first = hits[0]?.score || 1
  const share = (rank: number): number => (hits[rank - 1]?.score ?? 0) / first
  const ofScores = [share(2), share(5), share(10), first / question.total, Math.min(10, hits.length) / 10]
  row.set([...ofScores, history.length > 0 ? 1 : 0], wordingFeatures.length)
  return row
}

/** @throws QuerentError `bad-config` if the gate was trained on other features */
export function prepareEarly({ scorer, threshold }: EarlyGate): (row: Float32Array) => boolean {
  checkInputs('decision.early', scorer, earlyInputs)
  const score = prepareScorer(scorer)
  return (row) => score(row, 1)[0]! > threshold
}
