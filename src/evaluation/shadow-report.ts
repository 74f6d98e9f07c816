/** What the log of a shadow says, in words and tables: for a terminal, in Markdown, and as a page. */
import type { ShadowSearch } from '../shadow-search.ts'
import { type MovedDocument, movedDocuments } from './moved-documents.ts'
import { type Html, html } from './report/html.ts'
import { pageOf } from './report/page.ts'
import { movedLine } from './report/query-cards.ts'
import { table } from './report/tables.ts'
import { count, duration, percent, whole } from './report/words.ts'
import type { ShadowGroup, ShadowSummary } from './shadow-log.ts'
import { queriesNeeded } from './sign-test.ts'

/** A name, and numbers as people see them and as they are. */
type Row = readonly [string, ...{ readonly shown: string; readonly exact: number }[]]

/** The finding, and what it rests on. */
export function shadowFinding({ shed, all, from = '', to = '' }: ShadowSummary): {
  readonly title: string
  readonly lead: readonly string[]
} {
  const { searches, changed, firstChanged, overlap, displacement } = all
  const part = changed / Math.max(1, searches)
  const days = searches > 0 ? ` from ${from.slice(0, 10)} to ${to.slice(0, 10)}` : ''
  const needed = [0.55, 0.6, 0.7].map((rate) => {
    const decided = queriesNeeded(rate)
    return `${whole(decided)} of them if it wins ${percent(rate)}, which is ${whole(Math.ceil(decided / part))} searches at least`
  })
  const ofChanged = [
    `Where they change, ${percent(overlap)} of the first ten hits stay, and the displacement is ${displacement.toFixed(2)} (0: the same order, 1: no common hit).`,
    `Only searches that change, and in which one side gets the clicks, decide whether Querent is better. A sign test (at .05, with a power of .8) needs ${needed.join('; ')}.`,
  ]
  return {
    title: `${percent(part)} of the searches would change`,
    lead: [
      `${whole(changed)} of ${count(searches, 'search', 'searches')}${days} would show other hits or another order, ${whole(firstChanged)} of them another first hit.`,
      ...(changed > 0 ? ofChanged : []),
      ...(shed > 0 ? [`${count(shed, 'search was', 'searches were')} not tried, for the load.`] : []),
    ],
  }
}

export const shadowNote =
  "Milliseconds without Querent and with it, in the median and at the 95th percentile; requests to the engine, prompts and tokens of a search on average; dollars in all. The engine's own answer came first, so that its caches were warm for the optimized search."

export const shadowColumns = ['Searches', 'Would change', 'Share', 'Without', '95 %', 'With', '95 %'].concat([
  ...['Requests', 'Prompts', 'Tokens', 'Dollars'],
])

export const shadowTables = ({ indices, reasons, decisions }: ShadowSummary) =>
  [
    { title: 'By index', rows: indices.map(rowOf) },
    { title: 'By what became of them', rows: reasons.map(rowOf) },
    { title: 'By decision', rows: decisions.map(rowOf) },
  ] as const

function rowOf(group: ShadowGroup): Row {
  const cell = (exact: number, shown: (value: number) => string = whole) => ({ shown: shown(exact), exact })
  const { searches, changed, engineMs, optimizedMs, requests, asks, tokens, usd } = group
  const ms = [engineMs, optimizedMs].flatMap(({ p50, p95 }) => [cell(p50, duration), cell(p95, duration)])
  const means = [requests, asks].map((value) => cell(value, (one) => one.toFixed(1)))
  const counts = [cell(searches), cell(changed), cell(changed / searches, percent)]
  return [group.name, ...counts, ...ms, ...means, cell(tokens), cell(usd, (one) => one.toFixed(2))]
}

/** One of the searches that would change most: its words or what stands for them, and at most four documents that move. */
export interface ShadowChange {
  readonly name: string
  readonly about: string
  readonly moved: readonly MovedDocument[]
  readonly titleOf: (docid: string) => string
}

export function shadowChange(search: ShadowSearch): ShadowChange {
  const { qid, index, words, titles = {}, displacement = 0, before = [], after = [] } = search
  const hitsOf = (docids: readonly string[]) =>
    docids.map((docid, at) => ({ docid, rank: at + 1, score: -at }))
  const all = new Map([...before, ...after].map((docid) => [docid, 1]))
  return {
    name: words ?? `search ${qid}`,
    about: `${index === undefined ? '' : `${index}, `}displacement ${displacement.toFixed(2)}`,
    moved: movedDocuments(hitsOf(before), hitsOf(after), all),
    titleOf: (docid) => titles[docid] ?? docid,
  }
}

export function shadowPage(summary: ShadowSummary): string {
  const { title, lead } = shadowFinding(summary)
  const item = ({ name, about, moved, titleOf }: ShadowChange): Html =>
    html`<li><p class="query" dir="auto">${name}</p>${moved.map((one) => movedLine(one, titleOf))}<p class="became">${about}</p></li>
`
  const groups = shadowTables(summary).map(({ title, rows }) => ({
    title,
    rows: rows.map(([name, ...cells]) => [name, ...cells.map(({ shown }) => shown)] as const),
  }))
  const content = html`<header>
<p class="eyebrow">Shadow</p>
<h1>${title}</h1>
${lead.map(
  (line) => html`<p class="lead">${line}</p>
`,
)}</header>
<section>
<h2>The searches that would change most</h2>
<p class="note">Ranks without Querent → with it.</p>
<div class="queries"><figure class="card"><div class="extremes"><div class="wide"><ol>${summary.most.map((one) => item(shadowChange(one)))}</ol></div></div></figure></div>
</section>
<section>
<h2>Where they are, and where time and money go</h2>
<p class="note">${shadowNote}</p>
${table('Searches', shadowColumns, groups, '')}
</section>
`
  return pageOf({ title }, content)
}
