/** What explains searches inside of a report: the client of the live page, with its data. */
import { style as clientStyle, script, scriptHash } from '../../built-page.ts'
import type { Comparison, QueryComparison } from '../comparison.ts'
import type { ExplainedSearch, Explanations } from './explanations.ts'
import { type Html, html } from './html.ts'
import { systemName } from './words.ts'

/** One query, as two systems searched it. */
export interface ExplainedQuery {
  readonly text: string
  readonly names: readonly [baseline: string, system: string]
  readonly searches: readonly [baseline: ExplainedSearch, system: ExplainedSearch]
}

/** The data of the client, by the end of the address: `#<name>`. */
export interface ReportData {
  readonly kind: 'report'
  readonly queries: Readonly<Record<string, ExplainedQuery>>
}

export type Explainer = ReturnType<typeof createExplainer>

/** Collects the explanations that the report links to. */
export function createExplainer({ systems }: Comparison, explanations: Explanations | undefined) {
  const queries: Record<string, ExplainedQuery> = {}
  const titles = new Map<string, string>()
  return {
    /** The end of the address that explains the query; `undefined` if nothing does. */
    link({ qid, text = qid }: QueryComparison, system: number): string | undefined {
      const names = [systems[0]!.name, systems[system]!.name] as const
      const [first, second] = names.map((name) => explanations?.find(name, qid))
      if (first === undefined || second === undefined) return undefined
      for (const { docid, document } of [...first.hits, ...second.hits])
        if (document?.title) titles.set(docid, document.title)
      const link = `explain-${Object.keys(queries).length}`
      queries[link] = { text, names: [systemName(names[0]), systemName(names[1])], searches: [first, second] }
      return link
    },
    /** The title of a document, if a hit shows it; else its docid. */
    titleOf: (docid: string): string => titles.get(docid) ?? docid,
    data: { kind: 'report', queries } satisfies ReportData,
  }
}

/** The policy of a page with the client, which may run nothing but it. */
export const clientPolicy = `default-src 'none'; style-src 'unsafe-inline'; script-src ${scriptHash}`

/** The client's own style sheet: it takes turns with the report's. */
export const clientHead: Html = {
  markup: `<style id="page-style" media="not all">${clientStyle}</style>`,
}

export function clientBody(data: ReportData): Html {
  // Text with `<` could end the element that holds the data.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return html`<div id="page" hidden=""></div>
<script type="application/json" id="data">${{ markup: json }}</script>
<script type="module">${{ markup: script }}</script>
`
}
