/**
 * Fusion against LangChain.js and ranx, on the same lists in the same run. Each system has a process of its own, so that none runs on
 * code that another has warmed up or spoilt. They take turns for several rounds, so that what else the machine does meets them all.
 */
import { EnsembleRetriever } from '@langchain/classic/retrievers/ensemble'
import { Document } from '@langchain/core/documents'
import { rankScore } from '../fusion/rank-score.ts'
import { rrf } from '../fusion/rrf.ts'
import { toError } from '../src/errors.ts'
import { createRandom } from '../src/learn/random.ts'
import type { FuseOptions, Fusion, RankedList } from '../src/types.ts'
import { type Drawn, drawLists, runsOf } from './fusion-lists.ts'
import { wordsPerDocument } from './generated.ts'
import { median, microseconds, percentile, rounded } from './numbers.ts'
import { printWhenMain } from './print.ts'
import { answer, inProcess } from './process.ts'
import { installRanx, ranxVersion, timeRanx } from './ranx/ranx.ts'
import type { BenchResult, RunOptions } from './result.ts'

const usual: Drawn = { lists: 3, hits: 100, overlap: 0.5, docids: 'numbers' }
/** Different queries, fused in turn: few enough to stay in the processor's cache. */
const queries = 8
/** What rank-score is held to: microseconds at most, and how many times as long the others must take. */
const bars = { p50: 15, langchain: 10, ranx: 20 } as const

/** Milliseconds of a call. */
interface Times {
  readonly p50: number
  readonly p95: number
}

interface Measured {
  /** Lists that were just parsed from JSON. */
  readonly fresh: Times
  /** The same lists again. */
  readonly warm: Times
}

/** System → what fuses the lists of a query. Making it is not timed. */
const systems = {
  'rank-score, k = 10': fusing(rankScore(), { k: 10 }),
  'rank-score, k = 10, provenance': fusing(rankScore(), { k: 10, provenance: true }),
  'rank-score': fusing(rankScore()),
  rrf: fusing(rrf()),
  'LangChain.js': ensemble,
} as const satisfies Record<string, (lists: readonly RankedList[]) => () => unknown>

type System = keyof typeof systems

const lines: readonly (readonly [System, Drawn])[] = [
  ...(Object.keys(systems) as System[]).map((system) => [system, usual] as const),
  ...(['rank-score, k = 10', 'LangChain.js'] as const).map(
    (system) => [system, { ...usual, docids: 'uuids' }] as const,
  ),
]

export async function run({ quick = false }: RunOptions = {}): Promise<BenchResult> {
  const rounds = quick ? 1 : 5
  const ranxMissing = await installRanx().then(() => undefined, toError)
  const measured = lines.map((): Measured[] => [])
  const ranx: Times[] = []
  for (let round = 0; round < rounds; round++) {
    for (const [index, [system, drawn]] of lines.entries())
      measured[index]!.push(
        await inProcess<Measured>(import.meta.filename, [
          system,
          JSON.stringify(drawn),
          quick ? 2_000 : 5_000,
        ]),
      )
    if (ranxMissing === undefined) ranx.push(quantiles(await timeRanx(runsOf(usual), quick ? 20 : 100)))
  }
  const medians = measured.map((all) => ({
    fresh: medianTimes(all.map(({ fresh }) => fresh)),
    warm: medianTimes(all.map(({ warm }) => warm)),
  }))
  const at = (system: System, { docids } = usual): Measured =>
    medians[lines.findIndex(([name, drawn]) => name === system && drawn.docids === docids)]!
  const row = (system: string, docids: string, warm: Times, fresh?: Times) => ({
    system,
    docids,
    fresh_p50_us: fresh === undefined ? '-' : microseconds(fresh.p50),
    fresh_p95_us: fresh === undefined ? '-' : microseconds(fresh.p95),
    warm_p50_us: microseconds(warm.p50),
    warm_p95_us: microseconds(warm.p95),
  })
  const single = ranx.length === 0 ? undefined : medianTimes(ranx)
  return {
    name: 'fusion',
    rows: [
      ...lines.map(([system, { docids }], index) =>
        row(system, docids, medians[index]!.warm, medians[index]!.fresh),
      ),
      ...(single === undefined ? [] : [row('ranx, one query', usual.docids, single)]),
    ],
    notes: [
      ...(['rank-score, k = 10', 'rank-score'] as const).flatMap((system) =>
        (['fresh', 'warm'] as const).map(
          (condition) =>
            `bars, ${system}, ${condition}: ${barsOf(at(system)[condition], at('LangChain.js')[condition], single)}`,
        ),
      ),
      `fresh: lists just parsed from JSON, with documents of ${wordsPerDocument} words; parsing is not timed. The bars are meant for these: a search's lists are always new. LangChain.js tells documents apart by their text and must hash each, so its time grows with the texts; ours with the docids.`,
      `warm: the same lists of ${queries} queries in turn; every hash is known from the call before.`,
      `Medians of ${rounds} ${rounds === 1 ? 'round' : 'rounds, taken by all in turn'}. ${usual.lists} lists of ${usual.hits} hits; half of each list is in all of them, at random ranks. docids: numbers of up to 7 digits, as MS MARCO's, or UUIDs.`,
      'LangChain.js: EnsembleRetriever._weightedReciprocalRank of @langchain/classic, its fusion (RRF) alone.',
      ranxMissing === undefined
        ? `ranx ${ranxVersion}: fuse(method="rrf") of one query on runs made beforehand, compiled and warm.`
        : `RANX IS MISSING, since it could not be installed: ${ranxMissing.message}`,
    ],
  }
}

/** Which bars hold, in words. */
function barsOf({ p50 }: Times, langchain: Times, ranx?: Times): string {
  const verdict = (what: string, holds: boolean): string => `${what}: ${holds ? 'held' : 'MISSED'}`
  const times = (name: 'langchain' | 'ranx', other: Times | undefined): string =>
    other === undefined
      ? `${name}: MISSING`
      : verdict(
          `${rounded(other.p50 / p50)} × ${name} (at least ${bars[name]})`,
          other.p50 / p50 >= bars[name],
        )
  const own = verdict(`p50 ${microseconds(p50)} µs (at most ${bars.p50})`, p50 * 1000 <= bars.p50)
  return [own, times('langchain', langchain), times('ranx', ranx)].join('; ')
}

const quantiles = (times: readonly number[]): Times => ({ p50: median(times), p95: percentile(times, 0.95) })

const medianTimes = (rounds: readonly Times[]): Times => ({
  p50: median(rounds.map(({ p50 }) => p50)),
  p95: median(rounds.map(({ p95 }) => p95)),
})

function fusing(fusion: Fusion, options: FuseOptions = {}): (lists: readonly RankedList[]) => () => unknown {
  return (lists) => () => fusion.fuse(lists, options)
}

/** Its fusion alone, without retrievers and callbacks. */
function ensemble(lists: readonly RankedList[]): () => unknown {
  const retriever = new EnsembleRetriever({ retrievers: [], weights: lists.map(() => 1 / lists.length) })
  const found = lists.map(({ hits }) =>
    hits.map(({ document }) => new Document({ pageContent: document!.text, metadata: {} })),
  )
  return () => retriever._weightedReciprocalRank(found)
}

async function measure(system: System, drawn: Drawn, calls: number): Promise<Measured> {
  const prepare = systems[system]
  const random = createRandom(1)
  const generated = Array.from({ length: queries }, () => drawLists(random, drawn))
  // Texts that lists have in common are one string, as from an index in the process.
  const prepared = generated.map((lists) => prepare(lists))
  const answers = generated.map((lists) => JSON.stringify(lists))
  const parsed = (query: number): RankedList[] => JSON.parse(answers[query]!)
  const warm = await timesOf(calls, (call) => prepared[call % queries]!)
  return { fresh: await timesOf(calls, (call) => prepare(parsed(call % queries))), warm }
}

/** The times of so many calls, after half as many that warm up. `next` is not timed. */
async function timesOf(count: number, next: (call: number) => () => unknown): Promise<Times> {
  const times: number[] = []
  for (let call = -Math.ceil(count / 2); call < count; call++) {
    const fuse = next(call + count)
    const start = performance.now()
    const fused = fuse()
    if (fused instanceof Promise) await fused
    if (call >= 0) times.push(performance.now() - start)
  }
  return quantiles(times)
}

await answer(import.meta.filename, (system, drawn, calls) =>
  measure(system as System, JSON.parse(drawn!), Number(calls)),
)
await printWhenMain(import.meta.filename, run)
