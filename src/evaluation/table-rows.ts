/** Reads tables: CSV and TSV. A wrong row costs its line alone: reading goes on at the next line of the file. */
import type { QuerentError } from '../errors.ts'
import {
  type Line,
  lineError,
  type ReadOptions,
  readRawLines,
  type Skipping,
  type Source,
  withoutReturn,
} from './lines.ts'

/** A row by the names of its columns. */
export interface TableRow {
  readonly cells: Readonly<Record<string, string>>
  /** The line in which it begins, from 1: quoted cells of CSV may have line breaks. */
  readonly number: number
}

export interface TableOptions extends ReadOptions, Skipping {
  /** The names of the columns. Default: the first line has them. */
  readonly columns?: readonly string[]
}

/** What is wrong with the quotes of a row. */
type Fault = 'open' | 'inside'

/** A longer row means that a quote is not closed. */
const longestRow = 2 ** 26

/**
 * Yields the rows of a UTF-8 table. A cell may stand in double quotes, with those inside doubled (RFC 4180). In TSV, all other
 * quotes are characters, and a row never spans lines. Empty lines are skipped.
 *
 * @throws QuerentError as `readLines`; `bad-document` with file and line for wrong quotes, a row with more or fewer cells than
 *   columns, or two columns of one name
 */
export async function* readTableRows(
  source: Source,
  delimiter: ',' | '\t',
  { signal, columns: given, onBadLine }: TableOptions = {},
): AsyncGenerator<TableRow> {
  let columns = given
  function reject(error: QuerentError): void {
    // Without the names of the columns, no row can be read.
    if (onBadLine === undefined || columns === undefined) throw error
    onBadLine(error)
  }
  const lines = readRawLines(source, { ...(signal && { signal }), onBadLine: reject })
  /** Lines that are read again, the next one last. */
  const again: Line[] = []
  const next = async (): Promise<Line | undefined> => again.pop() ?? (await lines.next()).value
  const cellsIn = (span: readonly Line[]): readonly string[] | Fault =>
    cellsOf(withoutReturn(span.map(({ text }) => text).join('\n')), delimiter, columns?.length)
  try {
    for (let first = await next(); first !== undefined; first = await next()) {
      const { number } = first
      if (withoutReturn(first.text) === '') continue
      const span = [first]
      let cells = cellsIn(span)
      if (cells === 'open') {
        // The quote closes at the first line with an odd number of them, or nowhere.
        for (let size = 0, isOdd = false; !isOdd && size < longestRow; ) {
          const line = await next()
          // A line that is not UTF-8 was left out, and so must be the row around it.
          if (line !== undefined && line.number > number + span.length) again.push(line)
          if (line?.number !== number + span.length) break
          span.push(line)
          size += line.text.length + 1
          isOdd = line.text.split('"').length % 2 === 0
        }
        cells = cellsIn(span)
      }
      const wrong = (what: string, remedy: string): void => {
        while (span.length > 1) again.push(span.pop()!)
        reject(lineError(source, number, what, { code: 'bad-document', remedy }))
      }
      if (cells === 'open')
        wrong('the row is wrong: a quote opens and does not close', 'Close it, or double it within quotes.')
      else if (cells === 'inside')
        wrong('the row is wrong: a quote is inside of a cell', 'Quote the whole cell, and double the quote.')
      else if (columns === undefined) {
        const twice = cells.find((name, place) => name !== '' && cells.indexOf(name) < place)
        const remedy = 'Give each column a name of its own: only the last of them would be read.'
        if (twice !== undefined) wrong(`two columns have the name ${JSON.stringify(twice)}`, remedy)
        columns = cells
      } else if (cells.length === columns.length) {
        // Columns without a name, as spreadsheets write them, are left out.
        const named = columns.flatMap((name, place) => (name === '' ? [] : [[name, cells[place]!]]))
        yield { cells: Object.fromEntries(named), number }
      } else
        wrong(
          `the row is wrong: it has ${cells.length} cells for ${columns.length} columns`,
          `Write one cell for each column: a ${delimiter === ',' ? 'comma outside of quotes' : 'tab'} ends one.`,
        )
    }
  } finally {
    await lines.return(undefined)
  }
}

/** The cells of a row, or what is wrong with its quotes. Only whole cells of TSV are in quotes. */
function cellsOf(text: string, delimiter: ',' | '\t', width = 0): readonly string[] | Fault {
  const cells: string[] = []
  for (let start = 0; start <= text.length; ) {
    const isQuoted = text[start] === '"'
    const close = isQuoted ? closingQuote(text, start) : 0
    let end = close + 1
    if (close > 0 && (end === text.length || text[end] === delimiter)) {
      cells.push(text.slice(start + 1, close).replaceAll('""', '"'))
    } else {
      end = text.indexOf(delimiter, start)
      if (end < 0) end = text.length
      const cell = text.slice(start, end)
      if (delimiter === ',' && cell.includes('"')) return close < 0 ? 'open' : 'inside'
      cells.push(cell)
    }
    start = end + 1
  }
  // The tabs between a quote that begins a cell and one that ends another may be those of the table.
  if (delimiter === ',' || cells.length >= width) return cells
  return text.split('\t').flatMap((cell) => cellsOf(cell, '\t') as readonly string[])
}

/** The quote that ends a cell which begins with one: the first that is not doubled. -1: none does. */
function closingQuote(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 2))
    if (text[at + 1] !== '"') return at
  return -1
}
