/**
 * Writes BEIR's files, and reads its queries: one JSON object per line, optionally compressed (`.gz`).
 *
 * A query is `{"_id", "text", "metadata"?}`. Other keys are ignored. `corpus.ts` reads documents.
 */
import { z } from 'zod'
import { QuerentError } from '../errors.ts'
import type { Document, Qrels, Query, Turn } from '../types.ts'
import { checkNew, identifier, parseRecord, words } from './json-lines.ts'
import {
  type Line,
  lineError,
  nameOf,
  type ReadOptions,
  readLines,
  type Source,
  writeLines,
} from './lines.ts'
import { readTableRows } from './table-rows.ts'
import { beirQrelsHeader } from './trec.ts'

const queryRecord = z.object({
  _id: identifier.optional(),
  qid: identifier.optional(),
  text: words.pipe(z.string().regex(/\S/, 'it is empty')),
  metadata: z.object({ history: z.array(z.object({ role: z.string(), text: words })).nullish() }).nullish(),
})

/**
 * Reads the queries of a file. The qid is `_id`, or `qid` if `_id` is absent. `metadata.history`, a list of `{role, text}`
 * with the oldest turn first, becomes the conversation before the query. The role `user` stays; any other role (`agent`,
 * `assistant`, `system`) becomes `agent`. A file whose name ends in `.tsv` has qids and texts instead, with or without a line of
 * names.
 *
 * @throws QuerentError `missing-file`, `aborted`; `bad-file` with file and line if a line is not a JSON object, a field has
 * the wrong type (the message names it), a text is empty, a qid occurs twice, or the file has no queries; `bad-document` if a
 * row has not two cells
 */
export async function readQueries(source: Source, options: ReadOptions = {}): Promise<Query[]> {
  const queries: Query[] = []
  const lines = new Map<string, number>()
  const isTable = /\.tsv(?:\.gz)?$/i.test(nameOf(source))
  for await (const { text: line, number } of (isTable ? readRows : readLines)(source, options)) {
    const record = parseRecord(queryRecord, line, source, number, 'bad-file')
    const qid = record._id ?? record.qid
    if (qid === undefined) {
      throw lineError(source, number, 'the query has no "_id"', { remedy: 'Give every query an "_id".' })
    }
    checkNew(lines, qid, 'qid', source, number)
    const history = record.metadata?.history?.map(
      (turn): Turn => ({ role: turn.role === 'user' ? 'user' : 'agent', text: turn.text }),
    )
    queries.push({ qid, text: record.text, ...(history && history.length > 0 && { history }) })
  }
  if (queries.length > 0) return queries
  throw new QuerentError('bad-file', `${nameOf(source)} is empty`, {
    remedy: 'Check that this is the right file.',
  })
}

/** The rows of a table as lines of JSON. */
async function* readRows(source: Source, options: ReadOptions): AsyncGenerator<Line> {
  const rows = readTableRows(source, '\t', { ...options, columns: ['_id', 'text'] })
  for await (const { cells, number } of rows)
    if (number > 1 || !/^(?:_?id|q(?:uery)?[-_]?id)$/i.test(cells._id!))
      yield { text: JSON.stringify(cells), number }
}

/**
 * Writes a corpus.
 *
 * @throws QuerentError `write-failed` if the file cannot be written, `aborted`; and the errors of `documents`
 */
export async function writeCorpus(
  path: string,
  documents: Iterable<Document> | AsyncIterable<Document>,
  options: ReadOptions = {},
): Promise<void> {
  async function* records(): AsyncGenerator<string> {
    for await (const { docid, title, text, metadata } of documents) {
      yield JSON.stringify({ _id: docid, title: title ?? '', text, metadata })
    }
  }
  await writeLines(path, records(), options)
}

/**
 * Writes queries, with their conversation in `metadata.history`. The format has no field for a filter or `k`.
 *
 * @throws QuerentError `write-failed` if the file cannot be written, `aborted`; `bad-document` for a query without qid
 */
export async function writeQueries(
  path: string,
  queries: Iterable<Query>,
  options: ReadOptions = {},
): Promise<void> {
  function* records(): Generator<string> {
    for (const { qid, text, history } of queries) {
      if (qid === undefined) {
        throw new QuerentError('bad-document', `The query ${JSON.stringify(text)} has no qid`, {
          remedy: 'Give every query a qid before it is written.',
        })
      }
      yield JSON.stringify({ _id: qid, text, ...(history && { metadata: { history } }) })
    }
  }
  await writeLines(path, records(), options)
}

/**
 * Writes judgments in BEIR's format: a header and three tab-separated columns. Identifiers are not encoded.
 *
 * @throws QuerentError `write-failed` if the file cannot be written, `aborted`; `bad-document` if an identifier is empty or
 * contains a tab or a line break (use `writeQrels` for those)
 */
export async function writeBeirQrels(path: string, qrels: Qrels, options: ReadOptions = {}): Promise<void> {
  function* rows(): Generator<string> {
    yield beirQrelsHeader
    for (const [qid, grades] of qrels) {
      for (const [docid, grade] of grades) yield `${column(qid)}\t${column(docid)}\t${grade}`
    }
  }
  await writeLines(path, rows(), options)
}

/** Whether an identifier can be written in BEIR's format, which encodes nothing. */
export const fitsBeir = (id: string): boolean => id !== '' && !/[\t\n\r]|\p{Surrogate}/u.test(id)

function column(id: string): string {
  if (!fitsBeir(id)) {
    throw new QuerentError('bad-document', `The identifier ${JSON.stringify(id)} cannot stand in a table`, {
      remedy: 'Write the judgments in the format of TREC, which encodes white space.',
    })
  }
  return id.startsWith('"') ? `"${id.replaceAll('"', '""')}"` : id
}
