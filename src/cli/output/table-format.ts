/** Tables for papers, pages and programs. */
export const tableFormats = ['text', 'markdown', 'csv', 'latex'] as const
export type TableFormat = (typeof tableFormats)[number]

/** A text, or a number as people see it and as it is. */
export type Cell = string | { readonly shown: string; readonly exact: number }

/**
 * A table with a head; in `csv` its numbers are not rounded. `latex` needs the package booktabs. In `text` two spaces stand between
 * columns, and without columns there is no head.
 */
export function formatTable(
  format: TableFormat,
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
): string[] {
  if (format === 'text') {
    const all = [...(columns.length === 0 ? [] : [columns]), ...rows]
    const places = rows[0] ?? columns
    const widths = places.map((_, column) => Math.max(...all.map((row) => shown(row[column]!).length)))
    // A column is flush right if it has nothing but numbers.
    const isRight = places.map(
      (_, column) => columns.length > 0 && rows.every((row) => isNumber(row[column])),
    )
    const padded = (cell: Cell, column: number): string =>
      isRight[column] ? shown(cell).padStart(widths[column]!) : shown(cell).padEnd(widths[column]!)
    return all.map((row) => row.map(padded).join('  ').trimEnd())
  }
  if (format === 'csv')
    return [columns, ...rows].map((row) =>
      row.map((cell) => quoted(typeof cell === 'string' ? cell : String(cell.exact))).join(','),
    )
  // Only a column of numbers, which may have gaps, is aligned to the right.
  const isNumeric = columns.map((_, column) =>
    rows.every((row) => row[column] === '' || isNumber(row[column])),
  )
  if (format === 'markdown') {
    const line = (row: readonly Cell[]): string =>
      `| ${row.map((cell) => inMarkdown(shown(cell))).join(' | ')} |`
    return [
      line(columns),
      `| ${isNumeric.map((right) => (right ? '---:' : '---')).join(' | ')} |`,
      ...rows.map(line),
    ]
  }
  const line = (row: readonly Cell[]): string => `${row.map((cell) => inLatex(shown(cell))).join(' & ')} \\\\`
  return [
    `\\begin{tabular}{${isNumeric.map((right) => (right ? 'r' : 'l')).join('')}}`,
    '\\toprule',
    line(columns),
    '\\midrule',
    ...rows.map(line),
    '\\bottomrule',
    '\\end{tabular}',
  ]
}

const isNumber = (cell: Cell | undefined): boolean => typeof cell === 'object'

/** A cell as people see it. */
export const shown = (cell: Cell): string =>
  (typeof cell === 'string' ? cell : cell.shown).replaceAll('\u00a0', ' ')

/** RFC 4180. */
const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** A text of anybody's in one line of Markdown. */
export const inMarkdown = (text: string): string =>
  text.replaceAll(/[\\|*_`<[\]]/g, '\\$&').replaceAll(/[\r\n]+/g, ' ')

const latexSigns: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '$<$',
  '>': '$>$',
  '−': '$-$',
  '▲': '$\\blacktriangle$',
  '▼': '$\\blacktriangledown$',
}

const inLatex = (text: string): string =>
  text.replaceAll(/[\\~^<>−▲▼#$%&_{}]/g, (sign) => latexSigns[sign] ?? `\\${sign}`)
