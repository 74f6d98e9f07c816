/** What was decided: a bar a kind of query, divided into those left alone, those with one stage and those with two. */
import type { Plot } from '../../src/evaluation/report/plot.ts'
import {
  barHeight,
  barOf,
  plotWidth,
  rowAxis,
  rowGrid,
  rowHeight,
  rowTexts,
} from '../../src/evaluation/report/rows.ts'
import { percent } from '../../src/evaluation/report/words.ts'
import type { DecisionGroup } from '../experiments/experiments.ts'

/** In the order of the bar. `onto`: the color of text on it. */
export const stages = {
  alone: { label: 'left alone', color: 'var(--as-is)', onto: 'var(--on-as-is)' },
  one: { label: 'one stage', color: 'var(--rewrite)', onto: 'var(--on-rewrite)' },
  two: { label: 'two stages', color: 'var(--decompose)', onto: 'var(--on-decompose)' },
} as const

export function decisionPlot(name: string, groups: readonly DecisionGroup[]): Plot {
  const shares = groups.map(({ leftAlone, oneStage }) => ({
    alone: leftAlone,
    one: oneStage - leftAlone,
    two: 1 - oneStage,
  }))
  const names = Object.keys(stages) as (keyof typeof stages)[]
  return {
    name,
    label: groups
      .map(
        (group, row) =>
          `${group.name}: ${names.map((stage) => `${percent(shares[row]![stage])} ${stages[stage].label}`).join(', ')}`,
      )
      .join('; '),
    width: plotWidth,
    height: groups.length * rowHeight + 4,
    option: {
      grid: rowGrid(0),
      xAxis: { type: 'value', min: 0, max: 1, show: false },
      yAxis: rowAxis(groups.length),
      series: [
        ...names.map((stage) => ({
          type: 'bar' as const,
          stack: 'queries',
          barWidth: barHeight + 6,
          itemStyle: { color: stages[stage].color },
          data: shares.map((share) => barOf(share[stage])),
          label: {
            show: true,
            color: stages[stage].onto,
            fontSize: 11,
            formatter: ({ value }: { value?: unknown }) =>
              Number(value) >= 0.1 ? percent(Number(value)) : '',
          },
        })),
        rowTexts(
          groups.flatMap(({ name, subQueries }, row) => [
            { row, text: name, color: 'var(--ink)', width: plotWidth - 130 },
            { row, text: `${subQueries.toFixed(1)} sub-queries`, color: 'var(--soft)', right: 0 },
          ]),
        ),
      ],
    },
  }
}
