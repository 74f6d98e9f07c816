/** A study as tables: what every system came to, the decision alone beside decision and re-ranking. */
import { pEquals, percent, whole } from '../../evaluation/report/words.ts'
import type { Cells, Group, Row, Study } from '../experiments/experiments.ts'
import type { MeasureName } from '../experiments/measures.ts'
import type { Table, TableCell } from './table.ts'
import { differenceCell, measureTitles, signedValue, value, verdictWords } from './words.ts'

/** Two measures a column, so that the table fits a page. */
const pairs = [
  ['recall@2', 'recall@5'],
  ['ndcg@10', 'mrr@3'],
] as const satisfies readonly (readonly MeasureName[])[]

const columnNames = { alone: 'Decision alone', reranked: 'With re-ranking' } as const

type ColumnName = keyof typeof columnNames

/** What a study's difference column says. */
export const differenceNote =
  'Difference: the Stage II reward of the first row less that of this one, with its 95 % interval and p after Holm’s correction; ▲ the first row is significantly better, ▼ worse.'

export function studyTable(
  title: string,
  { groups, reference }: Study,
  note: string = differenceNote,
): Table {
  const halves = (Object.keys(columnNames) as ColumnName[]).flatMap((column) => [
    ...pairs.map((pair) => `${columnNames[column]}: ${pair.map((name) => measureTitles[name]).join(' / ')}`),
    `${measureTitles.reward}`,
    'Difference',
  ])
  return {
    title,
    note,
    head: ['', ...halves, 'Sub-queries', 'Left alone', 'Second stage saved'],
    groups: groups.map((group) => ({
      name: groupName(group),
      rows: group.rows.map((row) => [
        row.name,
        ...scores(row.alone),
        ...scores(row.reranked),
        ...(row.name === reference || row.subQueries > 0
          ? [row.subQueries.toFixed(1), percent(row.leftAlone), percent(row.oneStage)]
          : ['0', '', '']),
      ]),
    })),
  }
}

function scores(cells: Cells | undefined): TableCell[] {
  if (cells === undefined) return [...pairs.map(() => '–'), '–', '']
  return [
    ...pairs.map((pair) => pair.map((name) => value(name, cells[name].mean)).join(' / ')),
    `${value('reward', cells.reward.mean)} ± ${value('reward', cells.reward.deviation)}`,
    differenceCell('reward', cells.reward.difference),
  ]
}

function groupName({ name, queries, reranked }: Group): string {
  return `${name}: ${whole(queries)} queries${reranked === queries ? '' : `, ${whole(reranked)} of them re-ranked`}`
}

/** The differences of one measure, for each group one row. */
export function differenceTable(title: string, measure: MeasureName, { groups, reference }: Study): Table {
  const names = Object.entries(columnNames) as [ColumnName, string][]
  const others = (groups[0]?.rows ?? []).filter(({ name }) => name !== reference)
  return {
    title,
    head: ['', ...names.map(([, name]) => name)],
    groups: others.map(({ name }) => ({
      name: `less ${name}`,
      rows: groups.map((group) => {
        const row = group.rows.find((one) => one.name === name)
        return [
          group.name,
          ...names.map(([column]) => differenceCell(measure, row?.[column]?.[measure].difference)),
        ]
      }),
    })),
  }
}

/**
 * Whether the reference is significantly below any of some systems: the answer in a word for every group, measure and system, the
 * decision alone and with re-ranking.
 */
export function verdictTable(
  title: string,
  { groups }: Study,
  systems: readonly string[],
  measures: readonly MeasureName[],
): Table {
  const names = Object.entries(columnNames) as [ColumnName, string][]
  return {
    title,
    note: 'Of the learned policy, by p after Holm’s correction. “Uncorrected” marks a loss that only the correction takes away.',
    head: ['', ...names.flatMap(([, column]) => systems.map((system) => `${column}: against ${system}`))],
    groups: measures.map((measure) => ({
      name: measureTitles[measure],
      rows: groups.map(({ name, rows }) => [
        name,
        ...names.flatMap(([column]) => systems.map((system) => verdictCell(rows, system, column, measure))),
      ]),
    })),
  }
}

function verdictCell(
  rows: readonly Row[],
  system: string,
  column: ColumnName,
  measure: MeasureName,
): TableCell {
  const difference = rows.find(({ name }) => name === system)?.[column]?.[measure].difference
  if (difference === undefined) return '–'
  const { mean, p, pHolm, verdict } = difference
  const mark = verdict === 'unclear' && mean < 0 && p < 0.05 ? ` (worse uncorrected, ${pEquals(p)})` : ''
  return {
    text: `${verdictWords[verdict]} ${signedValue(measure, mean)}, ${pEquals(pHolm)}${mark}`,
    verdict,
  }
}
