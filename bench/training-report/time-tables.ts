/** What searching and training took, as in ACQO's Table 6. */
import { count, duration, whole } from '../../src/evaluation/report/words.ts'
import type { Experiments } from '../experiments/experiments.ts'
import { timedSteps } from '../experiments/times.ts'
import type { Table } from './table.ts'

export function timeTables({ times, seconds, setup }: Experiments): Table[] {
  const queries = setup.collections.reduce((sum, collection) => sum + collection.queries, 0)
  const training: Table = {
    title: 'Training',
    note: `Mean of ${count(setup.seeds.length, 'seed')}, of ${whole(queries)} queries: second stage and candidates of all of them; decisions for each of ${setup.parts} parts and re-ranking for ${setup.rerankedParts}, each on the queries of the other parts.`,
    head: ['', 'Seconds'],
    groups: [{ rows: Object.entries(seconds).map(([what, value]) => [what, value.toFixed(0)]) }],
  }
  if (times === undefined) return [training]
  return [
    {
      title: 'Searching',
      note: `Milliseconds in the median and at the 95th percentile, of ${whole(times.queries)} held-out queries. “Reading” fetches documents; “deciding” makes candidates and features and chooses.`,
      head: [
        '',
        'Sub-queries',
        'Requests',
        ...timedSteps.map((step) => step.replace(/^./, (first) => first.toUpperCase())),
      ],
      groups: [
        {
          rows: times.systems.map(({ name, subQueries, requests, steps }) => [
            name,
            subQueries.toFixed(1),
            requests.toFixed(2),
            ...timedSteps.map((step) =>
              steps[step].p95 === 0 ? '–' : `${duration(steps[step].p50)} / ${duration(steps[step].p95)}`,
            ),
          ]),
        },
      ],
    },
    training,
  ]
}
