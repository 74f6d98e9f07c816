/**
 * Fusion against LangChain.js and ranx, on the same lists in the same run, and how it grows with the hits. Each system has a
 * process of its own, so that none runs on code that another has warmed up or spoilt. They take turns for several rounds, so
 * that what else the machine does meets them all.
 */
import { toError } from '../src/errors.ts'
import { quantile } from '../src/learn/statistics.ts'
import { type Drawn, runsOf, unionOf } from './fusion-lists.ts'
import {
  type Measured,
  measureSystem,
  queries,
  type System,
  systemNames,
  type Times,
} from './fusion-systems.ts'
import { wordsPerDocument } from './generated.ts'
import { microseconds, rounded } from './numbers.ts'
import { printWhenMain } from './print.ts'
import { installRanx, ranxVersion, timeRanx } from './ranx/ranx.ts'
import type { BenchResult, RunOptions } from './result.ts'

const usual: Drawn = { lists: 3, hits: 100, overlap: 0.5, docids: 'numbers' }
/** Queries in one call of ranx, which is made for batches. */
const batch = 200
/** What rank-score is held to: microseconds at most, and how many times as long the others must take. */
const bars = { p50: 15, langchain: 10, ranx: 20 } as const

interface Line {
  readonly system: System
  readonly drawn: Drawn
}

const lines: readonly Line[] = [
  ...systemNames.map((system) => ({ system, drawn: usual })),
  ...systemNames
    .filter((system) => system === 'rank-score' || system === 'LangChain.js')
    .map((system) => ({ system, drawn: { ...usual, docids: 'uuids' } as const })),
  ...[0, 1].map((overlap) => ({ system: 'rank-score', drawn: { ...usual, overlap } }) as const),
  ...[10, 1_000, 10_000].flatMap((hits) =>
    (['rank-score', 'rrf', 'LangChain.js'] as const).map((system) => ({ system, drawn: { ...usual, hits } })),
  ),
]

type Row = Record<string, string | number>
/** What was measured of a system; of ranx there are warm times alone. */
type Figures = Pick<Measured, 'warm'> & Partial<Measured>

export async function run({ quick = false }: RunOptions = {}): Promise<BenchResult> {
  const rounds = quick ? 1 : 5
  const ranxMissing = await installRanx().then(() => undefined, toError)
  const measured = lines.map((): Measured[] => [])
  const ranx: Record<string, Times>[] = []
  for (let round = 0; round < rounds; round++) {
    for (const [index, { system, drawn }] of lines.entries())
      measured[index]!.push(await measureSystem(system, drawn, quick ? 2_000 : 5_000))
    if (ranxMissing === undefined) ranx.push(await measureRanx(quick ? 20 : 100))
  }

  const medians = measured.map(medianOf)
  const at = (system: System, drawn: Drawn): Measured =>
    medians[lines.findIndex((line) => line.system === system && isSame(line.drawn, drawn))]!
  const rows = lines.map(({ system, drawn }, index) =>
    rowOf(system, drawn, medians[index]!, at('rank-score', drawn)),
  )
  const ranxRows = Object.keys(ranx[0] ?? {}).map((name) =>
    rowOf(name, usual, { warm: medianTimes(ranx.map((times) => times[name]!)) }, at('rank-score', usual)),
  )
  rows.splice(systemNames.length, 0, ...ranxRows)

  const uuids = { ...usual, docids: 'uuids' } as const
  const ranxSingle = ranx.length === 0 ? undefined : medianTimes(ranx.map((times) => times[single]!))
  const notes = [
    `bars, fresh: ${barsOf('fresh', at('rank-score', usual), at('LangChain.js', usual), ranxSingle)}`,
    `bars, fresh, docids of 36 characters: ${barsOf('fresh', at('rank-score', uuids), at('LangChain.js', uuids), ranxSingle)}`,
    `bars, warm: ${barsOf('warm', at('rank-score', usual), at('LangChain.js', usual), ranxSingle)}`,
    `fresh: lists just parsed from JSON, with documents of ${wordsPerDocument} words, about as long as the passages of judged collections; parsing is not timed. The bars are meant for these: a search's lists are always new. LangChain.js tells documents apart by their text and must hash each, so its time grows with the texts; ours with the docids.`,
    `warm: the same lists of ${queries} queries in turn, their documents shared as those of an index in the process are; every hash is known from the call before.`,
    `Each process warms up by itself. Medians of ${rounds} ${rounds === 1 ? 'round' : 'rounds, taken by all in turn'}.`,
    `${usual.lists} lists; overlap: the part of each list that all lists have, at random ranks; the rest is in one list only. docids: numbers of up to 7 digits, as MS MARCO's, or UUIDs.`,
    'A call makes the whole sorted union into hits, unless k says otherwise; median and 95th percentile of single calls.',
    'times: so many times the median of rank-score on the same lists (of ranx: its time over our warm one). allocated: by one call, garbage included.',
    'LangChain.js: EnsembleRetriever._weightedReciprocalRank of @langchain/classic, its fusion (RRF) alone.',
    ranxMissing === undefined
      ? `ranx ${ranxVersion}: fuse(method="rrf") on runs made beforehand, compiled and warm. single: one query, as in a search, and what the bar is for; batch: ${batch} in one call, per query.`
      : `RANX IS MISSING, since it could not be installed: ${ranxMissing.message}`,
  ]
  return { name: 'fusion', rows, notes }
}

/** Which bars hold, in words. */
function barsOf(condition: 'fresh' | 'warm', own: Measured, langchain: Measured, ranx?: Times): string {
  const { p50 } = own[condition]
  const verdict = (what: string, holds: boolean): string => `${what}: ${holds ? 'held' : 'MISSED'}`
  const times = (name: string, other: Times, least: number): string =>
    verdict(`${rounded(other.p50 / p50)} × ${name} (at least ${least})`, other.p50 / p50 >= least)
  return [
    verdict(`p50 ${microseconds(p50)} µs (at most ${bars.p50})`, p50 * 1000 <= bars.p50),
    times('LangChain.js', langchain[condition], bars.langchain),
    ranx === undefined ? 'ranx: MISSING' : times('ranx', ranx, bars.ranx),
  ].join('; ')
}

function rowOf(system: string, drawn: Drawn, { fresh, warm, allocatedKb }: Figures, base: Measured): Row {
  return {
    system,
    hits: drawn.hits,
    overlap: drawn.overlap,
    union: unionOf(drawn),
    docids: drawn.docids,
    fresh_p50_us: fresh === undefined ? '-' : microseconds(fresh.p50),
    fresh_p95_us: fresh === undefined ? '-' : microseconds(fresh.p95),
    fresh_times: fresh === undefined ? '-' : rounded(fresh.p50 / base.fresh.p50),
    warm_p50_us: microseconds(warm.p50),
    warm_p95_us: microseconds(warm.p95),
    warm_times: rounded(warm.p50 / base.warm.p50),
    allocated_kb: allocatedKb ?? '-',
  }
}

/** The one row of ranx that is a search: one query, with as many threads as it takes by itself. */
const single = 'ranx, single'

async function measureRanx(calls: number): Promise<Record<string, Times>> {
  const named: Record<string, Times> = {}
  for (const oneThread of [false, true]) {
    const times = await timeRanx(runsOf(batch, usual), { calls, oneThread })
    const suffix = oneThread ? ', one thread' : ''
    named[`${single}${suffix}`] = quantiles(times.single)
    named[`ranx, batch${suffix}`] = quantiles(times.batch)
  }
  return named
}

/** Of ascending microseconds. */
const quantiles = (ascending: readonly number[]): Times => ({
  p50: quantile(ascending, 0.5) / 1000,
  p95: quantile(ascending, 0.95) / 1000,
})

const median = (values: readonly number[]): number =>
  quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  )

const medianTimes = (rounds: readonly Times[]): Times => ({
  p50: median(rounds.map(({ p50 }) => p50)),
  p95: median(rounds.map(({ p95 }) => p95)),
})

const medianOf = (rounds: readonly Measured[]): Measured => ({
  fresh: medianTimes(rounds.map(({ fresh }) => fresh)),
  warm: medianTimes(rounds.map(({ warm }) => warm)),
  allocatedKb: median(rounds.map(({ allocatedKb }) => allocatedKb)),
})

const isSame = (a: Drawn, b: Drawn): boolean => JSON.stringify(a) === JSON.stringify(b)

await printWhenMain(import.meta.filename, run)
