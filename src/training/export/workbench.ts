/**
 * Formats judged queries for OpenSearch's Search Relevance Workbench: the bodies of `PUT _plugins/_search_relevance/query_sets`
 * and `PUT _plugins/_search_relevance/judgments`.
 */
import type { Qrels, Query } from '../../types.ts'

export const workbenchExports = ['query-set', 'judgments'] as const

export type WorkbenchExport = (typeof workbenchExports)[number]

export interface WorkbenchDocument {
  readonly body: object
  /** Number of queries in it. */
  readonly queries: number
  /** Queries left out because they continue a conversation, which the workbench does not know. */
  readonly conversations: number
  /** Queries left out because the workbench refuses their text. */
  readonly refused: number
}

/** What the workbench accepts. */
const longest = { name: 50, text: 2000 }
const refusedCharacters = /["\\<>]/

/**
 * Writes each judged query once. Queries with the same words become one, with the highest grade of each document.
 *
 * @param name of the query set or judgment list; cut to 50 characters, without those that the workbench refuses
 */
export function workbenchDocument(
  to: WorkbenchExport,
  queries: readonly Query[],
  qrels: Qrels,
  name: string,
): WorkbenchDocument {
  const judged = queries.filter(({ qid }) => qid !== undefined && qrels.has(qid))
  const alone = judged.filter(({ history }) => history === undefined)
  const accepted = alone.filter(({ text }) => isAccepted(textOf(text)))
  const gradesOf = new Map<string, Map<string, number>>()
  for (const { qid, text } of accepted) {
    const grades = gradesOf.get(textOf(text)) ?? new Map<string, number>()
    gradesOf.set(textOf(text), grades)
    for (const [docid, grade] of qrels.get(qid!)!) grades.set(docid, Math.max(grade, grades.get(docid) ?? 0))
  }
  const shared = {
    name: name.replaceAll(new RegExp(refusedCharacters, 'g'), ' ').slice(0, longest.name),
    description: 'Written by querent export',
  }
  const body =
    to === 'query-set'
      ? {
          ...shared,
          sampling: 'manual',
          querySetQueries: [...gradesOf.keys()].map((queryText) => ({ queryText })),
        }
      : {
          ...shared,
          type: 'IMPORT_JUDGMENT',
          judgmentRatings: [...gradesOf].map(([query, grades]) => ({
            query,
            ratings: [...grades].map(([docId, grade]) => ({ docId, rating: grade.toFixed(3) })),
          })),
        }
  return {
    body,
    queries: gradesOf.size,
    conversations: judged.length - alone.length,
    refused: alone.length - accepted.length,
  }
}

/** On one line, in both documents: the workbench finds judgments by the text of a query. */
const textOf = (text: string): string => text.trim().replaceAll(/\s+/g, ' ')

const isAccepted = (text: string): boolean => text.length <= longest.text && !refusedCharacters.test(text)
