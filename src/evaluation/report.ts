/** Renders a comparison as one self-contained HTML file with plots and tables. */
import type { Comparison } from './comparison.ts'
import { clientBody, clientHead, clientPolicy, createExplainer } from './report/client.ts'
import type { Explanations } from './report/explanations.ts'
import {
  decisionFinding,
  latencyFinding,
  metricFinding,
  named,
  opening,
  troubles,
} from './report/findings.ts'
import { type Html, html } from './report/html.ts'
import { pageOf } from './report/page.ts'
import { happened, outcomeCounts, outcomes, stages, stagesAt, wasSearched } from './report/parts.ts'
import { intervalPlot, latencyPlot, scorePlot, sharePlot } from './report/plots.ts'
import { queryCards } from './report/query-cards.ts'
import { costDifferenceTable, costTable, scoreTable } from './report/tables.ts'
import { count, decimal, scoredOf, systemName, whole } from './report/words.ts'

/**
 * Renders the page. The HTML opens from disk and loads no resources. The same comparison gives the same bytes. Query texts are
 * escaped.
 *
 * @param explanations the searches. Default: none. With them, the queries that gained and lost most link to explanations, which
 *   a script in the page draws. Without, it runs no scripts.
 */
export async function report(comparison: Comparison, explanations?: Explanations): Promise<string> {
  const { setup, systems, queries } = comparison
  const names = systems.map(({ name }) => systemName(name))
  const baseline = names[0]!
  const { title: heading, lead } = opening(comparison)
  const { collection, split, date } = setup
  const facts = [collection, split && `split ${split}`, count(queries.length, 'query', 'queries'), date]
  const explainer = createExplainer(comparison, explanations)
  const cards = queryCards(comparison, explainer)
  const isExplained = Object.keys(explainer.data.queries).length > 0
  const title = `${names.join(', ')} on ${collection}`
  const scripts = { policy: clientPolicy, head: clientHead, foot: clientBody(explainer.data) }
  const content = html`<header>
<p class="eyebrow">${facts.filter((fact) => fact !== undefined).join(' · ')}</p>
<h1>${heading}</h1>
${lead.map((line) => html`<p class="lead">${line}</p>`)}
${warning(troubles(comparison))}
</header>
<section>
<h2>Questions</h2>
<p class="note">The questions whose ${comparison.metrics[0]} changed most against ${named(baseline)}, with the documents that moved, ranks before → after.${isExplained ? ' A question leads to its explanation.' : ''}</p>
<div class="queries">
${cards}</div>
</section>
<section>
<h2>Scores</h2>
<p class="note">Means over all queries with 95 % intervals; the dotted line is the baseline, ${named(baseline)}. Below the plots p is corrected for all comparisons of this page (Holm).</p>
${key([
  ['baseline', 'baseline'],
  ['better', 'significantly better ▲'],
  ['worse', 'significantly worse ▼'],
  ['unclear', 'no significant difference'],
])}
<div class="plots">
${comparison.metrics.map((metric, index) => {
  const scores = systems.map((system) => system.scores[index]!)
  return card(
    `${metric}${scoredOf(systems[0]!, index)}`,
    scorePlot(names, scores),
    html`<figcaption>${metricFinding(comparison, index)}</figcaption>`,
  )
})}</div>
</section>
${systems.length > 2 ? differences(comparison) : undefined}
${wasSearched(comparison) && searches(comparison)}
<section>
<h2>All numbers</h2>
<p class="note">Differences are to ${named(baseline)}. ▲ and ▼ mark those whose p-value after Holm's correction is below ${comparison.method.alpha}.</p>
${scoreTable(comparison)}
${
  wasSearched(comparison) &&
  html`<p class="note" style="margin-top: 1.5rem">Milliseconds in the median and at the 95th percentile; deciding and retrieving overlap. Searches (those that vote), lists (a search at a retriever), rounds of retrieval, prompts and tokens are for one query on average.</p>
${costTable(systems)}`
}
${comparison.costs.length > 0 ? costDifferences(comparison) : undefined}
</section>
<section>
<h2>How this was compared</h2>
${method(comparison)}
</section>
`
  return pageOf({ title, ...(isExplained && scripts) }, content)
}

/** Of two systems, the scores say it all. */
const differences = ({ systems }: Comparison): Html => html`<section>
<h2>Differences</h2>
<p class="note">To ${named(systems[0]!.name)}, in the mean over all queries, with paired 95 % intervals. The line at 0 is no difference. An interval that does not reach it may still be chance: p is corrected for all comparisons (Holm).</p>
<div class="plots">
${systems.slice(1).map(({ name, scores }) => card(systemName(name), intervalPlot(systemName(name), scores)))}</div>
</section>`

const searches = (comparison: Comparison): Html => html`<section>
<h2>Decisions and latency</h2>
<div class="plots">
${decisionCard(comparison)}${latencyCard(comparison)}</div>
</section>`

const costDifferences = (comparison: Comparison): Html =>
  html`<p class="note" style="margin-top: 1.5rem">Prompts (asks), rounds of retrieval and tokens of a query, over the queries whose search succeeded in every system. The p-values are corrected among themselves; costing less is not called better.</p>
${costDifferenceTable(comparison)}`

const warning = (troubles: readonly Html[]): Html | false =>
  troubles.length > 0 &&
  html`<div class="loud" role="note">${troubles.map((trouble) => html`<p>${trouble}</p>`)}</div>`

/** What the colors of those names mean. */
const key = (entries: readonly (readonly [name: string, label: string])[]): Html =>
  html`<ul class="key">${entries.map(([name, label]) => html`<li><i style="background: var(--${name})"></i>${label}</li>`)}</ul>`

const card = (title: string, ...content: readonly Html[]): Html => html`<figure class="card">
<h3>${title}</h3>
${content}
</figure>
`

const decisionCard = ({ systems }: Comparison): Html =>
  card(
    'What became of the queries',
    key(happened(outcomes, systems.map(outcomeCounts))),
    sharePlot(systems),
    html`<figcaption>${decisionFinding(systems)}</figcaption>`,
  )

function latencyCard(comparison: Comparison): Html {
  const { systems, queries } = comparison
  const results = systems.map((_, system) => queries.map((query) => query.results[system]!))
  const slow = results.map((ofSystem) => stagesAt(ofSystem, 0.95))
  const names = systems.map(({ name }) => systemName(name))
  return card(
    'Where the time goes',
    key(happened(stages, slow)),
    latencyPlot(names, results),
    html`<figcaption>${latencyFinding(comparison)}<p>Each bar is divided as the searches of about its length are on average.</p></figcaption>`,
  )
}

function method({
  setup,
  method: { rounds, samples, seed, alpha, comparisons },
  systems,
  queries,
}: Comparison) {
  const names = systems.map(({ name }, index) => (index === 0 ? `${systemName(name)} (baseline)` : name))
  const judged = systems.map((system) => `${systemName(system.name)} ${decimal(system['judged@10'])}`)
  const facts = {
    Collection: setup.collection,
    Split: setup.split,
    Queries: whole(queries.length),
    Systems: names.join(', '),
    'Hits of a search (k)': whole(setup.k),
    'Hits of each list (depth)': whole(setup.depth),
    ...setup.settings,
    Test: `Fisher's paired randomization test, two-sided, on the mean difference over queries: all assignments of signs where at most 20 queries differ, else ${whole(rounds)} random ones (seed ${seed}). Holm's correction over ${count(comparisons, 'comparison')}; significant below ${alpha}.`,
    Intervals: `95 %, percentile bootstrap over queries, ${whole(samples)} samples (seed ${seed}); of differences, paired. They are not corrected for the number of comparisons.`,
    'Judged of the first ten hits (judged@10)': judged.join(', '),
    Date: setup.date,
  }
  return html`<dl>${Object.entries(facts).map(([term, fact]) => fact !== undefined && html`<dt>${term}</dt><dd>${fact}</dd>`)}</dl>`
}
