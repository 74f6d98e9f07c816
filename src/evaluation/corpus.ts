/** Reads the documents of a corpus: JSON lines as BEIR has them, or a table. */
import { z } from 'zod'
import { QuerentError } from '../errors.ts'
import { isObject } from '../runtime/json.ts'
import type { Document } from '../types.ts'
import type { CorpusFormat } from './corpus-formats.ts'
import { checkNew, identifier, parseJsonLine, words } from './json-lines.ts'
import { type Line, lineError, nameOf, type ReadOptions, readLines, type Source } from './lines.ts'
import { readTableRows } from './table-rows.ts'

/** What is allowed in a document, but often a mistake: a number as docid, `null` or nothing as text. */
export type CorpusOddity = 'number-id' | 'null-text' | 'empty-text'

export interface CorpusOptions extends ReadOptions {
  /** Default: by the end of the name, `.csv` or `.tsv`, each also with `.gz`; otherwise JSON lines. */
  readonly format?: CorpusFormat
  /** The names of a table's columns. Default: its first line has them. */
  readonly columns?: readonly string[]
  /** The field of docids. Default `_id`. In JSON, `doc.id` is the field `id` in the object `doc`, unless `doc.id` is itself a field. */
  readonly idField?: string
  /** Default `title`. A document may lack it. */
  readonly titleField?: string
  /** Default `text`. */
  readonly textField?: string
  /** Called with the error of each line that is wrong, which is left out. Absent: the error is thrown. */
  readonly onBadLine?: (error: QuerentError) => void
  /** Called for each document that is read but may be a mistake. */
  readonly onOddity?: (oddity: CorpusOddity) => void
}

const metadataField = z.record(z.string(), z.unknown()).nullish()

interface Row {
  readonly fields: Readonly<Record<string, unknown>>
  readonly number: number
}

/**
 * Reads the documents of a corpus one at a time. Only their docids stay in memory. A missing or `null` title or text becomes
 * an empty string, and a number becomes its digits. Metadata of JSON lines are the object `metadata`, unchanged, except for the
 * key `__proto__`; other keys are ignored. Metadata of a table are its other columns; cells that are written as JavaScript
 * writes a number become numbers, and empty cells are left out.
 *
 * @throws QuerentError `missing-file`, `bad-file` (not UTF-8, not gzip), `aborted`; `bad-config` for `columns` of JSON lines;
 * `bad-document` with file and line if a line is not a JSON object, a field is missing or has the wrong type (the message names
 * it), a row of a table is wrong, or a docid occurs twice
 */
export async function* readCorpus(source: Source, options: CorpusOptions = {}): AsyncGenerator<Document> {
  const format = options.format ?? formatOf(nameOf(source))
  const { onBadLine, columns } = options
  if (format === 'jsonl' && columns !== undefined)
    throw new QuerentError('bad-config', `${nameOf(source)} is no table, so it has no columns`, {
      remedy: 'Name its format: `--set inputFormat=tsv` or `csv`, in code `format`.',
    })
  const lines = new Map<string, number>()
  const rows =
    format === 'jsonl'
      ? readLines(source, options)
      : readTableRows(source, format === 'csv' ? ',' : '\t', options)
  for await (const row of rows) {
    try {
      const fields = 'cells' in row ? row.cells : fieldsIn(row, source)
      const document = documentOf({ fields, number: row.number }, source, format, options)
      checkNew(lines, document.docid, 'docid', source, row.number)
      yield document
    } catch (error) {
      if (onBadLine === undefined || !(error instanceof QuerentError)) throw error
      onBadLine(error)
    }
  }
}

function documentOf(
  { fields, number }: Row,
  source: Source,
  format: CorpusFormat,
  { idField = '_id', titleField = 'title', textField = 'text', onOddity }: CorpusOptions,
): Document {
  const read = <Output>(schema: z.ZodType<Output>, name: string): Output => {
    const parsed = schema.safeParse(fieldOf(fields, name))
    if (parsed.success) return parsed.data
    throw wrongField(source, number, fields, name, parsed.error.issues[0]!.message)
  }
  const docid = read(identifier, idField)
  const title = read(words, titleField)
  const text = read(words, textField)
  const metadata =
    format === 'jsonl'
      ? read(metadataField, 'metadata')
      : otherCells(fields, [idField, titleField, textField])
  if (typeof fieldOf(fields, idField) === 'number') onOddity?.('number-id')
  if (text === '') onOddity?.(fieldOf(fields, textField) === null ? 'null-text' : 'empty-text')
  return { docid, ...(title !== '' && { title }), text, ...(metadata && { metadata }) }
}

function fieldsIn({ text, number }: Line, source: Source): Row['fields'] {
  const record = parseJsonLine(text, source, number, 'bad-document')
  if (isObject(record)) return record
  throw lineError(source, number, 'the line is wrong: it is no object', { code: 'bad-document' })
}

function formatOf(name: string): CorpusFormat {
  const [, end] = /\.(csv|tsv)(?:\.gz)?$/i.exec(name) ?? []
  return end === undefined ? 'jsonl' : (end.toLowerCase() as CorpusFormat)
}

/** A field by its name, or by a path of names with dots. */
function fieldOf(fields: Row['fields'], name: string): unknown {
  if (Object.hasOwn(fields, name)) return fields[name]
  let value: unknown = fields
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Row['fields'])[part]
  }
  return value
}

function wrongField(
  source: Source,
  number: number,
  fields: Row['fields'],
  name: string,
  message: string,
): QuerentError {
  if (fieldOf(fields, name) !== undefined)
    return lineError(source, number, `the field "${name}" is wrong: ${message}`, { code: 'bad-document' })
  const has = Object.keys(fields).map((key) => JSON.stringify(key))
  return lineError(
    source,
    number,
    `the field "${name}" is missing. The line has ${has.length > 0 ? has.slice(0, 10).join(', ') : 'no fields'}`,
    { code: 'bad-document', remedy: "Name it with `--id-field`, or a table's columns with `--columns`." },
  )
}

function otherCells(
  cells: Row['fields'],
  names: readonly string[],
): Readonly<Record<string, unknown>> | undefined {
  const others = Object.entries(cells).filter(([name, cell]) => cell !== '' && !names.includes(name))
  if (others.length === 0) return undefined
  return Object.fromEntries(
    others.map(([name, cell]) => [name, isNumeral(cell as string) ? Number(cell) : cell]),
  )
}

/** `007` and `1e3` stay text: as numbers they would be written differently. */
const isNumeral = (cell: string): boolean => Number.isFinite(Number(cell)) && String(Number(cell)) === cell
