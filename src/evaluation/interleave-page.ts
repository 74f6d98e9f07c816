/** What clicks on interleaved pages say, as a page: who won, by index and decision, and how sure that is. */
import type { InterleaveVerdict, Preference } from './interleave-verdict.ts'
import { html } from './report/html.ts'
import { pageOf } from './report/page.ts'
import { rowPlot } from './report/plot.ts'
import { pEquals, percent } from './report/words.ts'

/** Querent is better, the engine alone, or nobody yet. */
const colors = { querent: 'var(--better-text)', engine: 'var(--worse-text)', nobody: 'var(--unclear-text)' }

/**
 * @param title the verdict in a sentence
 * @param lead what it rests on
 * @param nameOf what a group is called
 */
export function interleavePage(
  { all, groups }: InterleaveVerdict,
  { title, lead }: { readonly title: string; readonly lead: string },
  nameOf: (group: InterleaveVerdict['groups'][number]) => string,
): string {
  const rows = [{ name: 'all', ...all }, ...groups.map((group) => ({ ...group, name: nameOf(group) }))]
  const won = ({ querent, engine }: Preference): string => `${querent} of ${querent + engine}`
  const plot = rowPlot({
    label: rows.map(({ name, ...row }) => `${name}: ${won(row)}, ${percent(row.share)}`).join('; '),
    axis: { min: 0, max: 1, interval: 0.25 },
    tick: percent,
    line: { at: 0.5, kind: 'solid' },
    rows: rows.map(({ name, ...row }) => ({
      name,
      figures: [
        html`<span>${won(row)}</span>`,
        html`<span>${pEquals(row.p)}</span>`,
        html`<b>${percent(row.share)}</b>`,
      ],
      interval: { low: row.low, mean: row.share, high: row.high, color: colors[row.winner ?? 'nobody'] },
    })),
  })
  const content = html`<header>
<p class="eyebrow">Interleaving</p>
<h1>${title}</h1>
<p class="lead">${lead}</p>
</header>
<section>
<h2>Searches that Querent's hits won</h2>
<p class="note">Of those in which one side brought more of the clicked hits. The line is what a coin would give; an interval of 95 % that does not cross it is a verdict.</p>
<figure class="card">${plot}</figure>
</section>
`
  return pageOf({ title }, content)
}
