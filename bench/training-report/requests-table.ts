/** Requests against quality: what each setting of the learned policy costs and finds, beside rivals with as many requests. */
import { percent } from '../../src/evaluation/report/words.ts'
import type { RequestPoint } from '../experiments/experiments.ts'
import type { MeasureName } from '../experiments/measures.ts'
import type { Table, TableCell } from './table.ts'
import { value } from './words.ts'

const shown = ['recall@5', 'ndcg@10'] as const satisfies readonly MeasureName[]

const ways = { alone: 'Decision alone', reranked: 'With re-ranking' } as const

export function requestsTables(curve: readonly RequestPoint[]): Table[] {
  const rivals = Object.keys(curve[0]?.alone.rivals ?? {})
  return (Object.keys(ways) as (keyof typeof ways)[]).flatMap((way) => {
    const measured = curve.flatMap((point) => {
      const standing = point[way]
      return standing === undefined ? [] : [{ name: point.name, ...standing }]
    })
    if (measured.length === 0) return []
    return [
      {
        title: `Requests against quality: ${ways[way].toLowerCase()}`,
        note: 'recall@5 / nDCG@10. Each rival sends as many requests as the row, or fewer where it never sends as many.',
        head: ['', 'Second request', 'Finds', ...rivals],
        groups: [
          {
            rows: measured.map(({ name, requests, found, rivals: others }) => [
              name,
              percent(requests),
              ...[found, ...rivals.map((rival) => others[rival]!)].map(
                (values): TableCell => shown.map((measure) => value(measure, values[measure])).join(' / '),
              ),
            ]),
          },
        ],
      },
    ]
  })
}
