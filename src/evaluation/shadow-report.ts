/** What the log of a shadow says, in words and tables: for a terminal, in Markdown, and as a page. */
import type { ShadowSearch } from '../shadow-search.ts'
import { type MovedDocument, movedDocuments } from './moved-documents.ts'
import { type Html, html } from './report/html.ts'
import { movedLine } from './report/query-cards.ts'
import { style } from './report/style.ts'
import { table } from './report/tables.ts'
import { count, duration, percent, whole } from './report/words.ts'
import type { ShadowGroup, ShadowSummary } from './shadow-log.ts'
import { queriesNeeded } from './sign-test.ts'

/** A text, or a number as people see it and as it is. */
type Cell = string | { readonly shown: string; readonly exact: number }

export interface ShadowTable {
  readonly title: string
  readonly note: string
  /** The first one names the rows. */
  readonly columns: readonly string[]
  readonly rows: readonly (readonly [string, ...Cell[]])[]
}

/** One of the searches that would change most. */
export interface ShadowChange {
  /** Its words, or what stands for them. */
  readonly name: string
  readonly about: string
  /** The documents that would move most, at most four. */
  readonly moved: readonly MovedDocument[]
  readonly titleOf: (docid: string) => string
}

/** The finding, and what it rests on. */
export function shadowFinding(summary: ShadowSummary): {
  readonly title: string
  readonly lead: readonly string[]
} {
  const { searches, shed, changed, firstChanged, overlap, displacement, from, to } = summary
  const tried = searches - shed
  const days = from === undefined ? '' : `, ${from.slice(0, 10)} to ${to!.slice(0, 10)}`
  return {
    title: `${percent(tried === 0 ? 0 : changed / tried)} of the searches would change`,
    lead: [
      `${whole(changed)} of ${count(tried, 'search', 'searches')} would show other hits or another order${days}. In ${whole(firstChanged)}, another hit would come first.`,
      ...(changed > 0
        ? [
            `Where they change, ${percent(overlap)} of the first ten hits stay, and the displacement is ${displacement.toFixed(2)} (0: the same order, 1: no common hit).`,
          ]
        : []),
      ...(shed > 0 ? [`${count(shed, 'search was', 'searches were')} not tried, for the load.`] : []),
    ],
  }
}

export function shadowTables(summary: ShadowSummary): readonly ShadowTable[] {
  const { indices, reasons, decisions, searches, shed, changed } = summary
  const groups = (title: string, note: string, first: string, rows: readonly ShadowGroup[]): ShadowTable => ({
    title,
    note,
    columns: [first, 'Searches', 'Would change', 'Share'],
    rows: rows.map((row) => [
      row.name,
      number(row.searches),
      number(row.changed),
      share(row.changed / row.searches),
    ]),
  })
  const part = changed / (searches - shed)
  return [
    groups('By index', 'Where Querent would matter.', 'Index', indices),
    groups('By reason', 'What became of the searches, and why.', 'Outcome', reasons),
    {
      title: 'Time and money',
      note: "Milliseconds in the median and at the 95th percentile; requests to the engine, prompts and tokens of a search on average; dollars in all. The engine's answer was first, so its caches were warm for the optimized search.",
      columns: [
        'Query',
        'Searches',
        'Without',
        '95 %',
        'With Querent',
        '95 %',
        'Requests',
        'Prompts',
        'Tokens',
        'Dollars',
      ],
      rows: decisions.map((row) => [
        row.name,
        number(row.searches),
        ...[row.engineMs, row.optimizedMs].flatMap(({ p50, p95 }) => [ms(p50), ms(p95)]),
        ...[row.requests, row.asks].map((value) => number(value, value.toFixed(1))),
        number(row.tokens),
        number(row.usd, row.usd.toFixed(2)),
      ]),
    },
    {
      title: 'How many searches a verdict needs',
      note: 'A sign test at the level of .05 then finds it in 80 of 100 cases (Fleiss, Levin and Paik, 2003, section 2.4). Only a search that would change, and in which one side gets the clicks, decides anything. The last column is the least: as if each of them did.',
      columns: ['If Querent wins', 'Decided searches', 'Searches in all'],
      rows: [0.55, 0.6, 0.7].map((rate) => {
        const needed = queriesNeeded(rate)
        return [
          `${percent(rate)} of them`,
          number(needed),
          part > 0 ? number(Math.ceil(needed / part)) : 'none change',
        ]
      }),
    },
  ]
}

const number = (exact: number, shown = whole(exact)): Cell => ({ shown, exact })
const share = (exact: number): Cell => ({ shown: percent(exact), exact })
/** 0: none was measured. */
const ms = (exact: number): Cell => ({ shown: exact === 0 ? '–' : duration(exact), exact })

export const shadowChanges = ({ most }: ShadowSummary): readonly ShadowChange[] => most.map(changeOf)

function changeOf({
  qid,
  index,
  words,
  titles = {},
  displacement = 0,
  before = [],
  after = [],
}: ShadowSearch): ShadowChange {
  const hitsOf = (docids: readonly string[]) =>
    docids.map((docid, place) => ({ docid, rank: place + 1, score: -place }))
  const all = new Map([...before, ...after].map((docid) => [docid, 1]))
  return {
    name: words ?? `search ${qid}`,
    about: `${index === undefined ? '' : `${index}, `}displacement ${displacement.toFixed(2)}`,
    moved: movedDocuments(hitsOf(before), hitsOf(after), all),
    titleOf: (docid) => titles[docid] ?? docid,
  }
}

/** A page that opens from disk, loads nothing, and runs no scripts. */
export function shadowPage(summary: ShadowSummary): string {
  const { title, lead } = shadowFinding(summary)
  const section = ({ title, note, columns: [first, ...columns], rows }: ShadowTable): Html => html`<section>
<h2>${title}</h2>
<p class="note">${note}</p>
${table(title, columns, [{ rows: rows.map(([name, ...cells]) => [name, ...cells.map(shownIn)] as const) }], first)}
</section>
`
  const item = ({ name, about, moved, titleOf }: ShadowChange): Html =>
    html`<li><p class="query" dir="auto">${name}</p>${moved.map((one) => movedLine(one, titleOf))}<p class="became">${about}</p></li>
`
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${{ markup: style }}</style>
</head>
<body>
<main id="report">
<header>
<p class="eyebrow">Shadow</p>
<h1>${title}</h1>
${lead.map(
  (line) => html`<p class="lead">${line}</p>
`,
)}</header>
<section>
<h2>The searches that would change most</h2>
<p class="note">Ranks without Querent → with it.</p>
<div class="queries"><figure class="card"><div class="extremes"><div class="wide"><ol>${shadowChanges(summary).map(item)}</ol></div></div></figure></div>
</section>
${shadowTables(summary).map(section)}</main>
</body>
</html>
`
  return page.markup
}

const shownIn = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.shown)
