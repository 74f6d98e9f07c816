/** Judgments: which documents are relevant for which query. Plain data, which the browser keeps. */
import type { GivenTurn } from '../types.ts'

/** What was searched. */
export interface Judged {
  readonly text: string
  readonly history?: readonly GivenTurn[] | undefined
}

export interface JudgedQuery extends Judged {
  /** The grades by docid: 1 is relevant, 0 is not. */
  readonly grades: Readonly<Record<string, number>>
}

export type Judgments = readonly JudgedQuery[]

/** A form that two searches share if their words and conversations are the same. */
const keyOf = ({ text, history = [] }: Judged): string =>
  JSON.stringify([text, ...history.map((turn) => [turn.role, turn.text])])

export const sameQuery = (one: Judged, other: Judged): boolean => keyOf(one) === keyOf(other)

export const gradesOf = (judgments: Judgments, query: Judged): JudgedQuery['grades'] =>
  judgments.find((one) => keyOf(one) === keyOf(query))?.grades ?? {}

export function gradeOf(judgments: Judgments, query: Judged, docid: string): number | undefined {
  const grades = gradesOf(judgments, query)
  return Object.hasOwn(grades, docid) ? grades[docid] : undefined
}

/** The judgments with one more. `undefined` takes a grade back. */
export function withGrade(
  judgments: Judgments,
  query: Judged,
  docid: string,
  grade: number | undefined,
): Judgments {
  const { [docid]: _, ...others } = gradesOf(judgments, query)
  const grades = grade === undefined ? others : { ...others, [docid]: grade }
  const place = judgments.findIndex((one) => keyOf(one) === keyOf(query))
  if (Object.keys(grades).length === 0) return judgments.filter((_, at) => at !== place)
  const { text, history = [] } = query
  const judged = { text, ...(history.length > 0 && { history }), grades }
  return place < 0 ? [...judgments, judged] : judgments.with(place, judged)
}

/** The judgments with all of these. Where both have a grade, that of `more` counts. */
export const withAll = (judgments: Judgments, more: Judgments): Judgments =>
  more.reduce(
    (all, query) =>
      Object.entries(query.grades).reduce(
        (some, [docid, grade]) => withGrade(some, query, docid, grade),
        all,
      ),
    judgments,
  )

export const countOf = (judgments: Judgments): number =>
  judgments.reduce((sum, { grades }) => sum + Object.keys(grades).length, 0)

/** Where each judged query has the same qid everywhere, files of several people can be put one after the other. */
function qidOf(query: Judged): string {
  // FNV-1a with 64 bits.
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(keyOf(query)))
    hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn
  return hash.toString(36)
}

/** The files of a BEIR folder, which `evaluate` and `train` read. */
export function filesOf(judgments: Judgments): Readonly<Record<'queries.jsonl' | 'qrels/test.tsv', string>> {
  const queries = judgments.map((query) => {
    const { text, history } = query
    return JSON.stringify({ _id: qidOf(query), text, ...(history && { metadata: { history } }) })
  })
  const rows = judgments.flatMap((query) =>
    Object.entries(query.grades).map(([docid, grade]) => [qidOf(query), column(docid), grade].join('\t')),
  )
  return {
    'queries.jsonl': linesOf(queries),
    'qrels/test.tsv': linesOf(['query-id\tcorpus-id\tscore', ...rows]),
  }
}

const linesOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

const column = (docid: string): string => (docid.startsWith('"') ? `"${docid.replaceAll('"', '""')}"` : docid)

/** A docid with a tab or a line break cannot stand in a table. */
export const isWritable = (docid: string): boolean => docid !== '' && !/[\t\n\r]/.test(docid)
