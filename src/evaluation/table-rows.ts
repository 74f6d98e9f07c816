/** Reads tables: CSV and TSV, whose first line names the columns. */
import { pipeline } from 'node:stream/promises'
import { type CsvError, type Info, parse } from 'csv-parse'
import { QuerentError } from '../errors.ts'
import { lineError, type ReadOptions, readBytes, type Skipping, type Source } from './lines.ts'

/** A row by the names of its columns. */
export interface TableRow {
  readonly cells: Readonly<Record<string, string>>
  /** The line in which it ends, from 1: quoted cells may have line breaks. */
  readonly number: number
}

interface Parsed {
  readonly record: Record<string, string>
  readonly info: Info
}

/** A longer row means that a quote is not closed. */
const longestRow = 2 ** 26

/**
 * Yields the rows of a UTF-8 table. A cell may stand in double quotes; quotes inside are doubled (RFC 4180), in TSV, too.
 * Blank lines are skipped.
 *
 * @throws QuerentError `missing-file`, `aborted`, `bad-file` (not UTF-8, not gzip); `bad-document` with file and line for a quote that is not closed or a row with
 *   more or fewer cells than the first line, or two columns of one name
 */
export async function* readTableRows(
  source: Source,
  delimiter: ',' | '\t',
  { signal, onBadLine }: ReadOptions & Skipping = {},
): AsyncGenerator<TableRow> {
  const wrong = (error: CsvError): QuerentError =>
    lineError(source, Number(error.lines ?? 1), `the row is wrong (${error.message})`, {
      code: 'bad-document',
      remedy: 'Write as many cells as the first line has, and double the quotes inside of quotes.',
      cause: error,
    })
  /** Columns without a name, as spreadsheets write them, are left out. */
  function named(columns: readonly string[]): (string | false)[] {
    const twice = columns.find((name, place) => name !== '' && columns.indexOf(name) < place)
    if (twice === undefined) return columns.map((name) => name !== '' && name)
    throw lineError(source, parser.info.lines, `two columns have the name ${JSON.stringify(twice)}`, {
      code: 'bad-document',
      remedy: 'Give each column a name of its own: only the last of them would be read.',
    })
  }
  const parser = parse({
    bom: true,
    columns: named,
    delimiter,
    info: true,
    max_record_size: longestRow,
    skip_empty_lines: true,
    skip_records_with_error: onBadLine !== undefined,
    on_skip(error) {
      if (error !== undefined) onBadLine?.(wrong(error))
      return undefined
    },
  })
  async function* decoded(): AsyncGenerator<string> {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    const decode = (bytes?: Uint8Array): string => {
      try {
        return decoder.decode(bytes, { stream: bytes !== undefined })
      } catch (cause) {
        const remedy = 'Save the file as UTF-8.'
        throw lineError(source, parser.info.lines, 'what follows is not UTF-8', { remedy, cause })
      }
    }
    for await (const bytes of readBytes(source, () => parser.info.lines, signal)) yield decode(bytes)
    // A file that was cut within a character is not UTF-8, either.
    yield decode()
  }
  // The loop below gets the same error. Without this handler, the rejected promise would end the process.
  pipeline(decoded(), parser).catch(() => {})
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>)
      yield { cells: record, number: info.lines }
  } catch (error) {
    throw error instanceof QuerentError ? error : wrong(error as CsvError)
  } finally {
    parser.destroy()
  }
}
