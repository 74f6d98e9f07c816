/**
 * Corpora and queries in the files of BEIR: one JSON object a line, `.gz` packed or not.
 *
 * A document is `{"_id", "title"?, "text"?, "metadata"?}`, a query `{"_id", "text", "metadata"?}`. Other keys are not
 * looked at.
 */
import { z } from 'zod'
import { QuerentError } from '../errors.ts'
import type { Document, Qrels, Query, Turn } from '../types.ts'
import { parseRecord } from './json-lines.ts'
import { lineError, nameOf, type ReadOptions, readLines, type Source, writeLines } from './lines.ts'
import { beirQrelsHeader } from './trec.ts'

// Collections made from tables hold numbers where text is meant; anything else that is not text is a mistake.
const text = z.preprocess((value) => (typeof value === 'number' ? String(value) : (value ?? '')), z.string())
// A larger whole number has lost digits by the time that JSON has been read.
const id = z.preprocess((value) => (Number.isSafeInteger(value) ? String(value) : value), z.string().min(1))

const documentRecord = z.object({
  _id: id,
  title: text,
  text,
  metadata: z.record(z.string(), z.unknown()).nullish(),
})

const queryRecord = z.object({
  _id: id.optional(),
  qid: id.optional(),
  text: text.pipe(z.string().regex(/\S/, 'it is empty')),
  metadata: z.object({ history: z.array(z.object({ role: z.string(), text })).nullish() }).nullish(),
})

/**
 * The documents of a corpus, one at a time: nothing but their docids is kept. A missing or `null` title or text is empty,
 * a number is its digits, and metadata are passed on as they are, but for a key `__proto__`.
 *
 * @throws QuerentError `missing-file`, `bad-file` (not UTF-8, not gzip), `aborted`; `bad-document` with file and line for a
 * line that is no JSON object, a field of the wrong type (named), or a docid that came before
 */
export async function* readCorpus(source: Source, options: ReadOptions = {}): AsyncGenerator<Document> {
  const lines = new Map<string, number>()
  for await (const { text: line, number } of readLines(source, options)) {
    const {
      _id: docid,
      title,
      text,
      metadata,
    } = parseRecord(documentRecord, line, source, number, 'bad-document')
    checkNew(lines, docid, 'docid', source, number)
    yield { docid, ...(title !== '' && { title }), text, ...(metadata && { metadata }) }
  }
}

/**
 * The queries of a file. The identifier is `_id`, or `qid` where there is none. `metadata.history`, a list of
 * `{role, text}` with the oldest turn first, becomes the conversation before the query: the role `user` stays, any other
 * (`agent`, `assistant`, `system`) becomes `agent`.
 *
 * @throws QuerentError `missing-file`, `aborted`; `bad-file` with file and line for a line that is no JSON object, a field
 * of the wrong type (named), an empty text, an identifier that came before, or a file without queries
 */
export async function readQueries(source: Source, options: ReadOptions = {}): Promise<Query[]> {
  const queries: Query[] = []
  const lines = new Map<string, number>()
  for await (const { text: line, number } of readLines(source, options)) {
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

/**
 * Writes a corpus.
 *
 * @throws QuerentError `write-failed` where the file cannot be written, `aborted`; what `documents` throws
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
 * Writes queries, with their conversation in `metadata.history`. A filter and a `k` are no part of the format.
 *
 * @throws QuerentError `write-failed` where the file cannot be written, `aborted`; `bad-document` for a query without qid
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
 * Writes judgments as BEIR has them: a heading and three columns parted by tabs. Identifiers stand as they are.
 *
 * @throws QuerentError `write-failed` where the file cannot be written, `aborted`; `bad-document` for an identifier with a
 * tab or a line end, or an empty one: write those with `writeQrels`
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

function column(id: string): string {
  if (id === '' || /[\t\n\r]|\p{Surrogate}/u.test(id)) {
    throw new QuerentError('bad-document', `The identifier ${JSON.stringify(id)} cannot stand in a table`, {
      remedy: 'Write the judgments in the format of TREC, which encodes white space.',
    })
  }
  return id.startsWith('"') ? `"${id.replaceAll('"', '""')}"` : id
}

function checkNew(
  lines: Map<string, number>,
  value: string,
  what: 'docid' | 'qid',
  source: Source,
  number: number,
): void {
  const first = lines.get(value)
  if (first !== undefined) {
    throw lineError(source, number, `the ${what} ${JSON.stringify(value)} came before, in line ${first}`, {
      code: what === 'docid' ? 'bad-document' : 'bad-file',
      remedy: 'Give every line an "_id" of its own.',
    })
  }
  lines.set(value, number)
}
