/**
 * Reads and writes runs and judgments in TREC's formats, as trec_eval reads them, optionally compressed (`.gz`).
 *
 * A run has six columns separated by white space, `qid Q0 docid rank score tag`; judgments have four, `qid 0 docid grade`.
 * White space in identifiers is percent-encoded (`ids.ts`). The same run gives the same bytes.
 */
import { QuerentError } from '../errors.ts'
import { byTrecEval } from '../rank.ts'
import type { Hit, Qrels, Run } from '../types.ts'
import { decodeId, encodeId } from './ids.ts'
import { lineError, nameOf, type ReadOptions, readLines, type Source, writeLines } from './lines.ts'
import { decreasingScores } from './strict-scores.ts'

// ASCII only, like C's `isspace`: a no-break space is part of an identifier.
const blanks = /[ \t\v\f\r]+/
const numeral = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/** The header of BEIR's judgments. */
export const beirQrelsHeader = 'query-id\tcorpus-id\tscore'

/**
 * Reads a run. Queries keep the order of the file. Hits are sorted as trec_eval sorts them: score descending, then docid
 * descending; the rank column is ignored. The format cannot represent queries without hits.
 *
 * @throws QuerentError `missing-file`, `aborted`; `bad-file` with file and line if the number of columns is wrong, a score
 * is not a finite number, a query has the same docid twice, or the file is empty
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
 * Writes a run: queries and hits in the given order, ranks from 1, and strictly decreasing scores (`strict-scores.ts`), so
 * that every tool sees this order however it breaks ties. `tag` names the system in the last column.
 *
 * @throws QuerentError `write-failed` if the file cannot be written, `aborted`; `bad-document` for an identifier that cannot
 * be written to a file
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
 * Reads judgments in TREC's four columns or BEIR's three (`query-id`, `corpus-id`, `score`, separated by tabs, with or
 * without this header). The first line determines the format. BEIR does not encode identifiers, so they are not decoded.
 *
 * @throws QuerentError `missing-file`, `aborted`; `bad-file` with file and line if the number of columns is wrong, a grade
 * is not an integer, a query has the same docid twice, or the file has no judgments
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
 * Writes judgments in TREC's four columns, in the given order. `judge` says who judged, in the second column, which trec_eval
 * ignores. Default: 0.
 *
 * @throws QuerentError as `writeRun` does
 */
export async function writeQrels(
  path: string,
  qrels: Qrels,
  { judge = '0', ...options }: ReadOptions & { readonly judge?: string } = {},
): Promise<void> {
  await writeLines(path, qrelsLines(qrels, encodeId(judge)), options)
}

function* qrelsLines(qrels: Qrels, judge: string): Generator<string> {
  for (const [qid, grades] of qrels) {
    const query = encodeId(qid)
    for (const [docid, grade] of grades) yield `${query} ${judge} ${encodeId(docid)} ${grade}`
  }
}

function splitColumns(text: string): string[] {
  return text.split(blanks).filter((column) => column !== '')
}

function parseNumber(text: string): number | undefined {
  const number = numeral.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(number) ? number : undefined
}

/** BEIR reads files with Python's `csv`: a quoted column doubles its quotes. */
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
      { remedy: 'Keep one of the two lines.' },
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
