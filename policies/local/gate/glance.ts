/**
 * The glance: whether it is worth going on after the first request. It reads the wording of the query and the first ten documents,
 * and predicts what sub-queries and re-ranking together would gain over the order at hand.
 */

import type { Scorer } from '../../../src/learn/scorer.ts'
import type { DocumentOf } from '../../../src/reranker.ts'
import type { Reader } from '../../../src/text/reader.ts'
import type { Query, RankedList } from '../../../src/types.ts'
import { lookAt } from '../rerank/look.ts'
import { prepareMean } from '../rerank/scoring.ts'
import { coverageFeatures, writeCoverage } from './coverage.ts'
import { wordingFeatures, writeWording } from './wording.ts'

export const glanceInputs: readonly string[] = [
  ...wordingFeatures,
  ...coverageFeatures,
  'scores: hits',
  'conversation',
]

/** How many hits of each list are read. */
const hitsRead = 10

/** The gain in nDCG@10 below which a query is left as it is. It is subtracted from a gain before a network learns it. */
export const glanceCost = 0.025

/** The inputs, by `glanceInputs`. @param lists of the original query */
export function glanceRow(
  query: Query,
  lists: readonly RankedList[],
  documentOf: DocumentOf,
  reader: Reader,
): Float32Array {
  reader.begin()
  const first = lists.map((list) => ({ ...list, hits: list.hits.slice(0, hitsRead) }))
  const { question, features } = lookAt(query, first, documentOf, reader)
  const row = new Float32Array(glanceInputs.length)
  writeWording(row, 0, query.text, question, reader.lexicon)
  writeCoverage(row, wordingFeatures.length, { question, lists: first, features })
  const [hits, history] = [first[0]?.hits.length ?? 0, query.history?.length ?? 0]
  row.set([hits / hitsRead, history > 0 ? 1 : 0], wordingFeatures.length + coverageFeatures.length)
  return row
}

/** @returns whether a query is best left as it is, by its row */
export function prepareGlance(scorers: readonly Scorer[]): (row: Float32Array) => boolean {
  const surplus = prepareMean(scorers)
  return (row) => surplus(row, 1)[0]! < 0
}
