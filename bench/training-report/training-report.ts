/** The experiments as a page: one HTML file, complete in itself. */
import { type Html, html } from '../../src/evaluation/report/html.ts'
import { type Draw, loadPlots } from '../../src/evaluation/report/plot.ts'
import { style } from '../../src/evaluation/report/style.ts'
import { count } from '../../src/evaluation/report/words.ts'
import type { Experiments } from '../experiments/experiments.ts'
import { headline, mainFindings, otherFindings } from './findings.ts'
import { plotsOf } from './section-plots.ts'
import { tableHtml } from './table.ts'
import { method, type TableSection, tableSections } from './tables.ts'

export interface TrainingReportOptions {
  /** What stands above the headline beside the collections, such as the date. Nothing looks at the clock. */
  readonly facts?: readonly string[]
}

/** Heads of columns hold sentences here, and the header a list. */
const moreStyle = `
.scroll thead th { white-space: normal; min-width: 5.5em; }
.scroll th, .scroll td { padding: .35rem .6rem; }
ul:not(.key) { max-width: 52em; padding-left: 1.1em; } ul:not(.key) li { margin: 0 0 .35rem; }
`

/**
 * The page: HTML that opens from disk, loads nothing and runs nothing. The same experiments give the same bytes.
 *
 * @throws QuerentError `missing-package` where the plotting library (echarts) is not installed
 */
export async function trainingReport(
  experiments: Experiments,
  { facts = [] }: TrainingReportOptions = {},
): Promise<string> {
  const draw = await loadPlots()
  const { setup } = experiments
  const queries = setup.collections.reduce((sum, collection) => sum + collection.queries, 0)
  const eyebrow = [
    setup.collections.map(({ name }) => name).join(', '),
    count(queries, 'query', 'queries'),
    count(setup.seeds.length, 'seed'),
    ...facts,
  ]
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>What training came to: ${setup.collections.map(({ name }) => name).join(', ')}</title>
<style>${{ markup: style + moreStyle }}</style>
</head>
<body>
<main>
<header>
<p class="eyebrow">${eyebrow.join(' · ')}</p>
<h1>${headline(experiments)}</h1>
${list(mainFindings(experiments))}
</header>
${tableSections(experiments).map((section) => sectionHtml(section, experiments, draw))}
<section id="more">
<h2>What else was found</h2>
${list(otherFindings(experiments))}
</section>
<section id="method">
<h2>How it was measured</h2>
${method(experiments).map(
  (sentence) => html`<p>${sentence}</p>
`,
)}</section>
</main>
</body>
</html>
`
  return page.markup
}

const list = (sentences: readonly string[]): Html =>
  html`<ul>${sentences.map(
    (sentence) => html`<li>${sentence}</li>
`,
  )}</ul>`

function sectionHtml({ id, title, text, tables }: TableSection, experiments: Experiments, draw: Draw): Html {
  return html`<section id="${id}">
<h2>${title}</h2>
<p class="note">${text}</p>
${plotsOf(id, experiments, draw)}
${tables.map(
  (table) => html`<h3 style="margin-top: 1.6rem">${table.title}</h3>
${table.note === undefined ? undefined : html`<p class="note">${table.note}</p>`}
${tableHtml(table)}
`,
)}</section>
`
}
