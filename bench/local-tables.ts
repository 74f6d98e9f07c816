/** The tables of `bench/local.ts`: means over queries and seeds, and what may be said of differences. */

import { bootstrapMean, randomizationTest } from '../src/evaluation/significance.ts'
import { mean } from '../src/learn/statistics.ts'
import { anyOf } from '../src/search.ts'

/** recall@2, recall@5, ndcg@10 */
const places = { recall2: 0, recall5: 1, ndcg10: 2 } as const

/** What one search of one query came to. */
export interface Row {
  /** The options that its figures depend on. */
  readonly run: string
  readonly seed: number
  readonly fold: number
  readonly collection: string
  readonly qid: string
  /** Metric by metric: the query as it is, the decision alone, the decision and re-ranking. */
  readonly raw: readonly number[]
  readonly decision: readonly number[]
  readonly reranked: readonly number[]
  /** The same over a language model's recorded rewrites: fused, and re-ranked. */
  readonly rewrites?: { readonly fused: readonly number[]; readonly reranked: readonly number[] }
  /** Of the first ten re-ranked hits, in an index with and without the relevant documents. */
  readonly confidences: readonly (readonly number[])[]
  /** Those that vote. */
  readonly subQueries: number
  /** Whether a second request is sent when the result is re-ranked. */
  readonly searchedMore: boolean
  /** Whether a person who rewrote the turn left it as it was. Conversations only. */
  readonly alone?: boolean
}

export function localTables(rows: readonly Row[]): string {
  const seedsOf = (some: readonly Row[]): number[] => [...new Set(some.map(({ seed }) => seed))]
  const collections = [...new Set(rows.map(({ collection }) => collection))]
  const of = (collection: string): Row[] => rows.filter((row) => row.collection === collection)
  const lines = [
    `${seedsOf(rows).length} seeds, ${new Set(rows.map(({ fold }) => fold)).size} folds; recall@2 / recall@5 / nDCG@10 in %, in parentheses the standard deviation over seeds.`,
    '',
    '| collection | queries | original query | decision | re-ranked | left unchanged | one request |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...collections.map((collection) => {
      const own = of(collection)
      const seeds = seedsOf(own)
      const figures = (pick: (row: Row) => readonly number[]): string =>
        Object.values(places)
          .map((place) => {
            const bySeed = seeds.map(
              (seed) => 100 * mean(own.filter((row) => row.seed === seed).map((row) => pick(row)[place]!)),
            )
            const all = mean(bySeed)
            const spread = Math.sqrt(
              mean(bySeed.map((value) => (value - all) ** 2)) *
                (seeds.length / Math.max(1, seeds.length - 1)),
            )
            return `${all.toFixed(1)}${seeds.length > 1 && spread >= 0.05 ? ` (${spread.toFixed(1)})` : ''}`
          })
          .join(' / ')
      const share = (test: (row: Row) => boolean): string =>
        `${(100 * mean(own.map((row) => (test(row) ? 1 : 0)))).toFixed(0)} %`
      const count = new Set(own.map(({ qid }) => qid)).size
      return `| ${collection} | ${count} | ${figures((row) => row.raw)} | ${figures((row) => row.decision)} | ${figures((row) => row.reranked)} | ${share((row) => row.subQueries === 0)} | ${share((row) => !row.searchedMore)} |`
    }),
    '',
    'Differences, averaged over seeds for each query, with 95 % bootstrap intervals and p-values of a paired randomization test.',
    '',
    '| what | collection | metric | difference | interval | p |',
    '| --- | --- | --- | ---: | ---: | ---: |',
    ...collections.flatMap((collection) => {
      const own = of(collection)
      const rewritten = own.filter(({ rewrites }) => rewrites !== undefined)
      return [
        difference('decision − original', own, 'recall5', 'decision'),
        difference('decision − original', own, 'ndcg10', 'decision'),
        difference('re-ranked − original', own, 'ndcg10', 'reranked'),
        ...(rewritten.length === 0
          ? []
          : (['recall5', 'ndcg10'] as const).map((metric) =>
              difference('recorded rewrites, re-ranked − fused', rewritten, metric, 'rewrites'),
            )),
      ]
    }),
    ...[true, false].flatMap((alone) => {
      const turns = rows.filter((row) => row.alone === alone)
      const what = alone ? 'turns that need no context' : 'turns that do'
      return turns.length === 0
        ? []
        : [
            difference(`${what}: decision − last turn`, turns, 'ndcg10', 'decision'),
            difference(`${what}: re-ranked − last turn`, turns, 'ndcg10', 'reranked'),
          ]
    }),
    '',
    'Whether the first ten hits have an answer (`answerable`), for each query in an index with and in one without its relevant documents: how well the two are told apart (AUC), how far probabilities are from frequencies (expected calibration error, ten bins), and how often it is above 0.5.',
    '',
    '| collection | AUC | calibration error | with | without |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...collections.map((collection) => {
      const [there, gone] = [0, 1].map((place) =>
        of(collection).map(({ confidences }) => anyOf(confidences[place]!)),
      )
      const above = (values: readonly number[]): string =>
        `${(100 * mean(values.map((value) => (value > 0.5 ? 1 : 0)))).toFixed(0)} %`
      return `| ${collection} | ${areaUnder(there!, gone!).toFixed(2)} | ${calibrationError(there!, gone!).toFixed(3)} | ${above(there!)} | ${above(gone!)} |`
    }),
  ]
  return lines.join('\n')
}

/** The share of pairs in which the first is higher; ties count half. */
const areaUnder = (high: readonly number[], low: readonly number[]): number =>
  mean(high.map((one) => mean(low.map((other) => (one > other ? 1 : one === other ? 0.5 : 0)))))

/** Σ over ten bins: the distance of the mean probability from the share that holds, by the bin's size. */
function calibrationError(holding: readonly number[], others: readonly number[]): number {
  const bins = new Map<number, number>()
  const add = (value: number, holds: number): void => {
    const bin = Math.min(9, Math.floor(10 * value))
    bins.set(bin, (bins.get(bin) ?? 0) + value - holds)
  }
  for (const value of holding) add(value, 1)
  for (const value of others) add(value, 0)
  const distance = [...bins.values()].reduce((sum, bin) => sum + Math.abs(bin), 0)
  return distance / (holding.length + others.length)
}

function difference(
  what: string,
  rows: readonly Row[],
  metric: keyof typeof places,
  of: 'decision' | 'reranked' | 'rewrites',
): string {
  const byQuery = new Map<string, Row[]>()
  for (const row of rows) byQuery.set(row.qid, [...(byQuery.get(row.qid) ?? []), row])
  const means = (pick: (row: Row) => readonly number[]): number[] =>
    Array.from(byQuery.values(), (own) => 100 * mean(own.map((row) => pick(row)[places[metric]]!)))
  const x = means((row) => (of === 'rewrites' ? row.rewrites!.reranked : row[of]))
  const y = means((row) => (of === 'rewrites' ? row.rewrites!.fused : row.raw))
  const differences = x.map((value, index) => value - y[index]!)
  const { low, high } = bootstrapMean(differences)
  const { p } = randomizationTest(x, y)
  const signed = (value: number): string => `${value >= 0 ? '+' : '−'}${Math.abs(value).toFixed(1)}`
  return `| ${what} | ${rows[0]!.collection} | ${metric} | ${signed(mean(differences))} | ${signed(low)} to ${signed(high)} | ${p < 0.0001 ? '< 0.0001' : p.toFixed(4)} |`
}
