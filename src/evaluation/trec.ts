/**
 * Runs and judgments in the files of TREC, as trec_eval reads them, `.gz` packed or not.
 *
 * A run has six columns parted by white space, `qid Q0 docid rank score tag`; judgments have four, `qid 0 docid grade`.
 * Identifiers are percent-encoded where they hold white space or `%` (`ids.ts`). The same run gives the same bytes.
 */
import { QuerentError } from '../errors.ts'
import { byTrecEval } from '../rank.ts'
import type { Hit, Qrels, Run } from '../types.ts'
import { decodeId, encodeId } from './ids.ts'
import { lineError, nameOf, type ReadOptions, readLines, type Source, writeLines } from './lines.ts'
import { decreasingScores } from './strict-scores.ts'

// ASCII alone, as C's `isspace`: a no-break space is part of an identifier.
const blanks = /[ \t\v\f\r]+/
const numeral = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/** BEIR's judgments begin with this line. */
export const beirQrelsHeader = 'query-id\tcorpus-id\tscore'

/**
 * A run, its queries in the order of the file. The hits of a query are ordered as trec_eval orders them: score descending,
 * then docid descending; the rank column is not looked at. A query without hits does not stand in such a file.
 *
 * @throws QuerentError `missing-file`, `aborted`; `bad-file` with file and line for a wrong number of columns, a score that
 * is no finite number, a docid that a query has twice, or a file without lines
 */
export async function readRun(source: Source, options: ReadOptions = {}): Promise<Run> {
  const queries = new Map<string, Map<string, number>>()
  for await (const { text, number } of readLines(source, options)) {
    const columns = splitColumns(text)
    const [qid, , docid, , score] = columns
    if (columns.length !== 6) {
      throw lineError(source, number, `${columns.length} columns instead of 6`, {
        remedy:
          'A run has six a line: qid Q0 docid rank score tag. Encode white space in identifiers as %20.',
      })
    }
    const value = parseNumber(score!)
    if (value === undefined) throw lineError(source, number, `the score "${score}" is no finite number`)
    setOnce(queries, decodeId(qid!), decodeId(docid!), value, source, number)
  }
  checkNotEmpty(queries, source)
  const run = new Map<string, readonly Hit[]>()
  for (const [qid, scores] of queries) {
    const scored = Array.from(scores, ([docid, score]) => ({ docid, score })).sort(byTrecEval)
    run.set(
      qid,
      scored.map((hit, index) => ({ ...hit, rank: index + 1 })),
    )
    queries.delete(qid)
  }
  return run
}

/**
 * Writes a run: queries and hits in the order given, ranks from 1, and scores that fall strictly (`decreasing.ts`), so that
 * every tool sees this order whatever it does about ties. `tag` names the system in the last column.
 *
 * @throws QuerentError `write-failed` where the file cannot be written, `aborted`; `bad-document` for an identifier that no
 * file can hold
 */
export async function writeRun(
  path: string,
  run: Run,
  { tag = 'querent', ...options }: ReadOptions & { readonly tag?: string } = {},
): Promise<void> {
  await writeLines(path, runLines(run, tag), options)
}

function* runLines(run: Run, tag: string): Generator<string> {
  const system = encodeId(tag)
  for (const [qid, hits] of run) {
    const query = encodeId(qid)
    const scores = decreasingScores(hits.map((hit) => hit.score))
    for (const [index, { docid }] of hits.entries()) {
      yield `${query} Q0 ${encodeId(docid)} ${index + 1} ${scores[index]} ${system}`
    }
  }
}

/**
 * Judgments, from TREC's four columns or from BEIR's three (`query-id`, `corpus-id`, `score`, parted by tabs, with or
 * without that heading): what the first line is made of decides. BEIR does not encode identifiers, so there they are taken
 * as they stand.
 *
 * @throws QuerentError `missing-file`, `aborted`; `bad-file` with file and line for a wrong number of columns, a grade that
 * is no whole number, a docid judged twice for a query, or a file without judgments
 */
export async function readQrels(source: Source, options: ReadOptions = {}): Promise<Qrels> {
  const qrels = new Map<string, Map<string, number>>()
  let beir: boolean | undefined
  for await (const { text, number } of readLines(source, options)) {
    if (beir === undefined) {
      beir = text.split('\t').length === 3
      if (text.trim().toLowerCase() === beirQrelsHeader) continue
    }
    const columns = beir ? text.split('\t').map(unquote) : splitColumns(text)
    if (columns.length !== (beir ? 3 : 4)) {
      throw lineError(source, number, `${columns.length} columns instead of ${beir ? 3 : 4}`, {
        remedy: beir
          ? 'Judgments of BEIR have three a line, parted by tabs: query-id, corpus-id, score.'
          : 'Judgments of TREC have four a line: qid 0 docid grade. Encode white space in identifiers as %20.',
      })
    }
    if (columns.includes('')) throw lineError(source, number, 'a column is empty')
    const docid = columns.at(-2)!
    const grade = parseNumber(columns.at(-1)!)
    if (grade === undefined || !Number.isSafeInteger(grade)) {
      throw lineError(source, number, `the grade "${columns.at(-1)}" is no whole number`)
    }
    if (beir) setOnce(qrels, columns[0]!, docid, grade, source, number)
    else setOnce(qrels, decodeId(columns[0]!), decodeId(docid), grade, source, number)
  }
  checkNotEmpty(qrels, source)
  return qrels
}

/**
 * Writes judgments in TREC's four columns, in the order given.
 *
 * @throws QuerentError as `writeRun`
 */
export async function writeQrels(path: string, qrels: Qrels, options: ReadOptions = {}): Promise<void> {
  await writeLines(path, qrelsLines(qrels), options)
}

function* qrelsLines(qrels: Qrels): Generator<string> {
  for (const [qid, grades] of qrels) {
    const query = encodeId(qid)
    for (const [docid, grade] of grades) yield `${query} 0 ${encodeId(docid)} ${grade}`
  }
}

function splitColumns(text: string): string[] {
  return text.split(blanks).filter((column) => column !== '')
}

function parseNumber(text: string): number | undefined {
  const number = numeral.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(number) ? number : undefined
}

/** BEIR's own reader is Python's `csv`: a column in quotes holds its quotes doubled. */
function unquote(column: string): string {
  return /^".*"$/.test(column) ? column.slice(1, -1).replaceAll('""', '"') : column
}

function setOnce(
  queries: Map<string, Map<string, number>>,
  qid: string,
  docid: string,
  value: number,
  source: Source,
  line: number,
): void {
  const values = queries.get(qid) ?? new Map<string, number>()
  if (values.has(docid)) {
    throw lineError(
      source,
      line,
      `the query ${JSON.stringify(qid)} has the docid ${JSON.stringify(docid)} twice`,
      {
        remedy: 'Keep one of the two lines.',
      },
    )
  }
  queries.set(qid, values.set(docid, value))
}

function checkNotEmpty(queries: ReadonlyMap<string, unknown>, source: Source): void {
  if (queries.size > 0) return
  throw new QuerentError('bad-file', `${nameOf(source)} is empty`, {
    remedy: 'Check that this is the right file.',
  })
}
