/** What the sections of the page show beside their tables. */
import { type Html, html } from '../../src/evaluation/report/html.ts'
import type { Draw, Plot } from '../../src/evaluation/report/plot.ts'
import type { Experiments, Study } from '../experiments/experiments.ts'
import type { MeasureName } from '../experiments/measures.ts'
import { systemNames } from '../experiments/systems.ts'
import { curvePlot } from './curve-plot.ts'
import { decisionPlot, stages } from './decision-plot.ts'
import { columnColors, type ForestRow, forestPlot } from './forest-plot.ts'
import { measureTitles } from './words.ts'

const columnKey = [
  [columnColors.alone, '● decision alone'],
  [columnColors.reranked, '■ with re-ranking'],
] as const

const linesOf = { training: 'var(--rewrite)', heldOut: 'var(--decompose)' } as const

/** The plots of a section, by its id; nothing for one that has none. */
export function plotsOf(id: string, experiments: Experiments, draw: Draw): Html | undefined {
  const { comparison, equalRequests, curve, decisions, byGolds, byDifficulty } = experiments
  const { numbers, filters, ablations, leftOut, retrievers } = experiments
  const figure = (title: string, plot: Plot, key: readonly (readonly [string, string])[]): Html =>
    html`<figure class="card"><h3>${title}</h3>
<ul class="key">${key.map(([color, label]) => html`<li><i style="background: ${color}"></i>${label}</li>`)}</ul>
${draw(plot)}</figure>
`
  const forests = (study: Study, group: number, title: string, measures: readonly MeasureName[]): Html[] =>
    measures.flatMap((measure) => {
      const rows = forestRows(study, group, measure)
      return rows.length === 0
        ? []
        : [
            figure(
              `${title}: ${measureTitles[measure]}`,
              forestPlot(`${id}-${group}-${measure.replace('@', '-')}`, measure, rows),
              columnKey,
            ),
          ]
    })
  const each = (study: Study | undefined, title: string): Html[] =>
    study === undefined
      ? []
      : study.groups.flatMap(({ name }, group) => forests(study, group, `${title}, ${name}`, ['reward']))
  const cards = {
    comparison: () => [
      ...forests(comparison, 0, 'What the learned policy has more, all queries', ['reward', 'recall@5']),
      ...comparison.groups
        .slice(1)
        .flatMap(({ name }, group) => forests(comparison, group + 1, `More on ${name}`, ['reward'])),
    ],
    curves: () => {
      const raw = comparison.groups[0]!.rows.find(({ name }) => name === systemNames.asIs)
      const key = [
        [linesOf.training, 'training queries'],
        [linesOf.heldOut, 'held-out queries'],
      ] as const
      return [
        figure(
          'Reward by epoch (dashed: drawn; dotted: the query as it is)',
          curvePlot(
            'curve-reward',
            'Reward by epoch',
            curve,
            [
              { name: 'training', color: linesOf.training, at: ({ training }) => training.taken },
              { name: 'held out', color: linesOf.heldOut, at: ({ heldOut }) => heldOut.taken },
              {
                name: 'held out, drawn',
                color: linesOf.heldOut,
                dashed: true,
                at: ({ heldOut }) => heldOut.drawn,
              },
            ],
            raw === undefined ? [] : [raw.alone.reward.mean],
          ),
          key,
        ),
        figure(
          'Sub-queries by epoch (dashed: of the choice taken)',
          curvePlot('curve-sub-queries', 'Sub-queries by epoch', curve, [
            { name: 'training', color: linesOf.training, at: ({ training }) => training.subQueriesDrawn },
            { name: 'held out', color: linesOf.heldOut, at: ({ heldOut }) => heldOut.subQueriesDrawn },
            {
              name: 'held out, taken',
              color: linesOf.heldOut,
              dashed: true,
              at: ({ heldOut }) => heldOut.subQueriesTaken,
            },
          ]),
          key,
        ),
      ]
    },
    requests: () =>
      forests(equalRequests, 0, 'More with as many requests, all queries', ['ndcg@10', 'recall@5']),
    decisions: () => {
      const key = Object.values(stages).map(({ color, label }) => [color, label] as const)
      return [
        figure('By type', decisionPlot('decisions-type', decisions.byType), key),
        figure('By collection', decisionPlot('decisions-collection', decisions.byCollection), key),
      ]
    },
    difficulty: () => [...each(byGolds, 'More'), ...each(byDifficulty, 'More on queries that are')],
    numbers: () =>
      numbers === undefined
        ? []
        : forests(numbers, 0, 'What the chosen number has more', ['reward', 'recall@5']),
    ablations: () =>
      ablations === undefined
        ? []
        : forests(ablations, 0, 'What the whole policy has more', ['reward', 'recall@5']),
    filters: () =>
      filters === undefined ? [] : forests(filters, 0, 'What training on all queries has more', ['ndcg@10']),
    'left-out': () => each(leftOut, 'More without having seen it'),
    retrievers: () => each(retrievers, 'More on its own retriever'),
  } satisfies Record<string, () => Html[]>
  const made = Object.hasOwn(cards, id) ? cards[id as keyof typeof cards]() : []
  return made.length === 0 ? undefined : html`<div class="plots">${made}</div>`
}

function forestRows({ groups, reference }: Study, group: number, measure: MeasureName): ForestRow[] {
  return (groups[group]?.rows ?? []).flatMap((row) => {
    const alone = row.alone[measure].difference
    if (row.name === reference || alone === undefined) return []
    return [{ name: row.name, alone, reranked: row.reranked?.[measure].difference }]
  })
}
