/** A study as tables, the decision alone beside decision and re-ranking in each of them. */
import { pEquals, percent, pValue, whole } from '../../src/evaluation/report/words.ts'
import type { Cells, Difference, Group, Row, Study } from '../experiments/experiments.ts'
import type { MeasureName } from '../experiments/measures.ts'
import type { Table, TableCell } from './table.ts'
import { measureTitles, signedValue, value, verdictWords } from './words.ts'

/** Two measures a column, so that the table fits a page. */
const pairs = [
  ['recall@2', 'recall@5'],
  ['ndcg@10', 'mrr@3'],
] as const satisfies readonly (readonly MeasureName[])[]

const columnNames = { alone: 'Decision alone', reranked: 'With re-ranking' } as const

type ColumnName = keyof typeof columnNames

/** What every system came to. */
export function scoreTable(title: string, { groups, reference }: Study): Table {
  return {
    title,
    head: [
      '',
      ...(Object.keys(columnNames) as ColumnName[]).flatMap((column) => [
        ...pairs.map(
          (pair) => `${columnNames[column]}: ${pair.map((name) => measureTitles[name]).join(' / ')}`,
        ),
        `${columnNames[column]}: ${measureTitles.reward}`,
      ]),
      'Sub-queries',
      'Left alone',
      'Second stage saved',
      'One request when re-ranked',
    ],
    groups: groups.map((group) => ({
      name: groupName(group),
      rows: group.rows.map((row) => [
        row.name,
        ...scores(row.alone),
        ...scores(row.reranked),
        ...(row.name === reference || row.subQueries > 0
          ? [
              row.subQueries.toFixed(1),
              percent(row.leftAlone),
              percent(row.oneStage),
              percent(row.oneRequest),
            ]
          : ['0', '–', '–', '–']),
      ]),
    })),
  }
}

function scores(cells: Cells | undefined): TableCell[] {
  if (cells === undefined) return [...pairs.map(() => '–'), '–']
  return [
    ...pairs.map((pair) => pair.map((name) => value(name, cells[name].mean)).join(' / ')),
    `${value('reward', cells.reward.mean)} ± ${value('reward', cells.reward.deviation)}`,
  ]
}

function groupName({ name, queries, reranked }: Group): string {
  return `${name}: ${whole(queries)} queries${reranked === queries ? '' : `, ${whole(reranked)} of them re-ranked`}`
}

/** What the reference has more than each system, in one measure. */
export function differenceTable(measure: MeasureName, { groups, reference }: Study): Table {
  const names = Object.entries(columnNames) as [ColumnName, string][]
  return {
    title: `${measureTitles[measure]}: what ${reference} has more`,
    head: ['', ...names.flatMap(([, column]) => [`${column}: more by`, '95 % interval', 'p, Holm', 'It is'])],
    groups: groups.map(({ name, rows }) => ({
      name,
      rows: rows
        .filter((row) => row.name !== reference)
        .map((row) => [
          `than ${row.name}`,
          ...names.flatMap(([column]) => differenceCells(measure, row[column]?.[measure].difference)),
        ]),
    })),
  }
}

function differenceCells(measure: MeasureName, difference: Difference | undefined): TableCell[] {
  if (difference === undefined) return ['–', '–', '–', '–']
  const { mean, low, high, pHolm, verdict } = difference
  return [
    { text: signedValue(measure, mean), verdict },
    `${signedValue(measure, low)} to ${signedValue(measure, high)}`,
    pValue(pHolm),
    { text: verdictWords[verdict], verdict },
  ]
}

/**
 * Whether the reference is significantly below any of some systems: the answer in a word for every group, measure and system, the
 * decision alone and with re-ranking.
 */
export function verdictTable(
  title: string,
  { groups, alpha }: Study,
  systems: readonly string[],
  measures: readonly MeasureName[],
): Table {
  const names = Object.entries(columnNames) as [ColumnName, string][]
  return {
    title,
    note: "What the learned policy is, by p after Holm's correction: better, worse, or no difference shown.",
    head: ['', ...names.flatMap(([, column]) => systems.map((system) => `${column}: against ${system}`))],
    groups: measures.map((measure) => ({
      name: measureTitles[measure],
      rows: groups.map(({ name, rows }) => [
        name,
        ...names.flatMap(([column]) =>
          systems.map((system) => verdictCell(rows, system, column, measure, alpha)),
        ),
      ]),
    })),
  }
}

function verdictCell(
  rows: readonly Row[],
  system: string,
  column: ColumnName,
  measure: MeasureName,
  alpha: number,
): TableCell {
  const difference = rows.find(({ name }) => name === system)?.[column]?.[measure].difference
  if (difference === undefined) return '–'
  const { mean, p, pHolm, verdict } = difference
  const mark = verdict === 'unclear' && mean < 0 && p < alpha ? ` (worse uncorrected, ${pEquals(p)})` : ''
  return {
    text: `${verdictWords[verdict]}: ${signedValue(measure, mean)}, ${pEquals(pHolm)}${mark}`,
    verdict,
  }
}
