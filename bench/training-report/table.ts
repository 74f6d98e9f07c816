/** A table as data, written as HTML and as Markdown. */

import type { Verdict } from '../../src/evaluation/comparison.ts'
import { type Html, html } from '../../src/evaluation/report/html.ts'

/** Colored where it says what came out of a test; the words say it, too. */
interface Judged {
  readonly text: string
  readonly verdict: Verdict
}

export type TableCell = string | Judged

interface TableGroup {
  /** Over its rows. Absent: they follow without a heading. */
  readonly name?: string
  readonly rows: readonly (readonly TableCell[])[]
}

export interface Table {
  readonly title: string
  /** What is to be known in order to read it. */
  readonly note?: string
  /** The first column names the row. */
  readonly head: readonly string[]
  readonly groups: readonly TableGroup[]
}

export function tableHtml({ title, head, groups }: Table): Html {
  const cell = (value: TableCell): Html =>
    typeof value === 'string'
      ? html`<td>${value}</td>`
      : html`<td class="${value.verdict}">${value.text}</td>`
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${title}"><table>
<thead><tr>${head.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
${groups.map(
  ({ name, rows }) => html`<tbody>
${name === undefined ? undefined : html`<tr><th scope="rowgroup" colspan="${head.length}">${name}</th></tr>`}
${rows.map(
  ([first, ...rest]) => html`<tr><th scope="row">${textOf(first!)}</th>${rest.map(cell)}</tr>
`,
)}</tbody>
`,
)}</table></div>`
}

/** Groups become rows of their own, in bold. */
export function tableMarkdown({ head, groups }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeMarkdown).join(' | ')} |`
  const rule = `| ${head.map((_, column) => (column === 0 ? '---' : '---:')).join(' | ')} |`
  return [
    line(head),
    rule,
    ...groups.flatMap(({ name, rows }) => [
      ...(name === undefined ? [] : [`| **${escapeMarkdown(name)}** |${' |'.repeat(head.length - 1)}`]),
      ...rows.map((row) => line(row.map(textOf))),
    ]),
  ].join('\n')
}

const textOf = (cell: TableCell): string => (typeof cell === 'string' ? cell : cell.text)

/** Text as it may stand in a cell: no markup, no end of the cell, no end of the line. */
function escapeMarkdown(text: string): string {
  return text
    .replace(/\s+/g, (space) => (space.includes('\n') ? ' ' : space))
    .replace(/[\\|*_`<>[\]]/g, (character) => `\\${character}`)
}
