/** Judgments: which documents are relevant for which query. Plain data, which the browser keeps. */
import { isObject } from '../runtime/json.ts'
import type { GivenTurn } from '../types.ts'

/** What was searched. */
export interface Judged {
  readonly text: string
  readonly history?: readonly GivenTurn[] | undefined
}

export interface Judgment extends Judged {
  readonly docid: string
  /** 1 is relevant, 0 is not. */
  readonly grade: number
}

export type Judgments = readonly Judgment[]

/** The grades by docid. */
export type Grades = ReadonlyMap<string, number>

/** A form that two searches share if their words and conversations are the same. */
const keyOf = ({ text, history = [] }: Judged): string =>
  JSON.stringify([text, ...history.map((turn) => [turn.role, turn.text])])

export const sameQuery = (one: Judged, other: Judged): boolean =>
  one.text === other.text && keyOf(one) === keyOf(other)

export const gradesOf = (judgments: Judgments, query: Judged): Grades =>
  new Map(judgments.filter((one) => sameQuery(one, query)).map(({ docid, grade }) => [docid, grade]))

/** The judgments with one more. `undefined` takes a grade back. */
export function withGrade(
  judgments: Judgments,
  query: Judged,
  docid: string,
  grade: number | undefined,
): Judgments {
  const { text, history = [] } = query
  const others = judgments.filter((one) => one.docid !== docid || !sameQuery(one, query))
  if (grade === undefined) return others
  return [...others, { text, ...(history.length > 0 && { history }), docid, grade }]
}

/** The judged queries, each with one of its judgments, by their qids. */
export const queriesOf = (judgments: Judgments): ReadonlyMap<string, Judged> =>
  new Map(judgments.map((one) => [qidOf(one), one]))

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
  const queries = Array.from(queriesOf(judgments), ([qid, { text, history }]) => {
    const record = { _id: qid, text, ...(history && { metadata: { history } }) }
    return `${JSON.stringify(record)}\n`
  })
  const rows = judgments.map((one) => `${qidOf(one)}\t${column(one.docid)}\t${one.grade}\n`)
  return {
    'queries.jsonl': queries.join(''),
    'qrels/test.tsv': ['query-id\tcorpus-id\tscore\n', ...rows].join(''),
  }
}

const column = (docid: string): string => (docid.startsWith('"') ? `"${docid.replaceAll('"', '""')}"` : docid)

/** A docid with a tab or a line break cannot stand in a table. */
export const isWritable = (docid: string): boolean => docid !== '' && !/[\t\n\r]/.test(docid)

/** The judgments that were kept. None, if it is something else: others that share the page's address may write there, too. */
export const judgmentsIn = (kept: unknown): Judgments =>
  Array.isArray(kept) && kept.every(isJudgment) ? kept : []

const isJudgment = (value: unknown): value is Judgment =>
  isObject(value) &&
  typeof value.text === 'string' &&
  typeof value.docid === 'string' &&
  typeof value.grade === 'number' &&
  (value.history === undefined || turnsIn(value.history).length > 0)

const isTurn = (value: unknown): value is GivenTurn =>
  isObject(value) &&
  typeof value.text === 'string' &&
  typeof value.role === 'string' &&
  ['user', 'agent', 'assistant'].includes(value.role)

/** The turns of a conversation that was kept. None, if it is something else. */
export const turnsIn = (kept: unknown): readonly GivenTurn[] =>
  Array.isArray(kept) && kept.every(isTurn) ? kept : []

/** Without the turns that somebody left empty. */
export const filled = (history: readonly GivenTurn[]): readonly GivenTurn[] =>
  history.filter((turn) => turn.text.trim() !== '')
