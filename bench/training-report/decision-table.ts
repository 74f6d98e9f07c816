/** What the policy chose, group by group. */
import { percent, whole } from '../../src/evaluation/report/words.ts'
import type { DecisionGroup } from '../experiments/experiments.ts'
import type { Table } from './table.ts'

export function decisionTable(title: string, groups: readonly DecisionGroup[]): Table {
  const parts = Object.keys(groups[0]?.parts ?? {})
  return {
    title,
    note: 'From the sixth column on: the share of the queries whose set has it.',
    head: [
      '',
      'Queries',
      'Left alone',
      'Second stage saved',
      'Sub-queries',
      ...parts.map((part) => part.replace(/^./, (first) => first.toUpperCase())),
    ],
    groups: [
      {
        rows: groups.map(({ name, queries, leftAlone, oneStage, subQueries, parts: shares }) => [
          name,
          whole(queries),
          percent(leftAlone),
          percent(oneStage),
          subQueries.toFixed(2),
          ...parts.map((part) => percent(shares[part] ?? 0)),
        ]),
      },
    ],
  }
}
