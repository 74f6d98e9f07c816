/** Reads the log of searches that were answered by the engine alone, and sums up what the optimized ones would have changed. */
import { z } from 'zod'
import { mean } from '../learn/statistics.ts'
import { groupBy } from '../runtime/group-by.ts'
import type { ShadowSearch } from '../shadow-search.ts'
import { readRecords } from './json-lines.ts'
import type { ReadOptions } from './lines.ts'
import { outcomes } from './report/parts.ts'
import { type Percentiles, percentilesOf } from './summary.ts'

const text = z.string().exactOptional()
const docids = z.array(z.string()).readonly().exactOptional()
const figure = z.number().exactOptional()
const schema: z.ZodType<ShadowSearch> = z.object({
  ...{ at: z.string(), qid: z.string(), index: text, reason: text, words: text },
  outcome: z.enum(['changed', 'unchanged', 'passed through', 'failed', 'shed']),
  decision: z.enum(['as-is', 'rewrite', 'decompose']).exactOptional(),
  ...{ before: docids, after: docids, in: docids, out: docids },
  titles: z.record(z.string(), z.string()).exactOptional(),
  ...{ engineMs: z.number(), requests: z.number(), optimizedMs: figure, subQueries: figure },
  ...{ asks: figure, tokens: figure, usd: figure, overlap: figure, displacement: figure },
})

export interface ShadowSummary {
  /** The first and the last moment of the log, as ISO 8601. Absent if it is empty. */
  readonly from?: string
  readonly to?: string
  /** Searches that were left out for the load. All that follows is about the others. */
  readonly shed: number
  readonly all: ShadowGroup
  readonly indices: readonly ShadowGroup[]
  readonly reasons: readonly ShadowGroup[]
  readonly decisions: readonly ShadowGroup[]
  /** Those that would change most, each of its words and index once. */
  readonly most: readonly ShadowSearch[]
}

/** Searches with something in common. */
export interface ShadowGroup {
  readonly name: string
  readonly searches: number
  /** How many would change, and how many their first hit. */
  readonly changed: number
  readonly firstChanged: number
  /** Means over those that would change. 0 if there are none. */
  readonly overlap: number
  readonly displacement: number
  /** Milliseconds until the caller had the engine's answer, and of the optimized search. */
  readonly engineMs: Percentiles
  readonly optimizedMs: Percentiles
  /** Means: requests to the engine, prompts, and their tokens. */
  readonly requests: number
  readonly asks: number
  readonly tokens: number
  /** The sum, in dollars. */
  readonly usd: number
}

/** How many of those that would change most are named. */
const named = 20

/** @throws QuerentError `missing-file`, `bad-file` with the line that is wrong, `aborted` by the signal */
export async function readShadowLog(path: string, options: ReadOptions = {}): Promise<ShadowSummary> {
  const all: ShadowSearch[] = []
  let most = new Map<string, ShadowSearch>()
  for await (const { record: search } of readRecords(schema, path, options)) {
    // The lists of a few are enough.
    const { before, after, in: _in, out: _out, titles: _titles, words: _words, ...figures } = search
    all.push({ ...figures, before: before?.slice(0, 1) ?? [], after: after?.slice(0, 1) ?? [] })
    if (search.outcome !== 'changed' || !(moveOf(search) > moveOf(most.get(search.qid)))) continue
    most.set(search.qid, search)
    if (most.size > 50 * named) most = new Map(mostOf(most).map((one) => [one.qid, one]))
  }
  return { ...summaryOf(all), most: mostOf(most) }
}

const moveOf = (search: ShadowSearch | undefined): number => search?.displacement ?? 0

const mostOf = (searches: ReadonlyMap<string, ShadowSearch>): readonly ShadowSearch[] =>
  [...searches.values()].sort((one, other) => moveOf(other) - moveOf(one)).slice(0, named)

function summaryOf(all: readonly ShadowSearch[]): Omit<ShadowSummary, 'most'> {
  const tried = all.filter(({ outcome }) => outcome !== 'shed')
  const moments = all.map(({ at }) => at).sort()
  return {
    ...(moments.length > 0 && { from: moments[0]!, to: moments.at(-1)! }),
    shed: all.length - tried.length,
    all: groupOf('all', tried),
    indices: grouped(tried, ({ index = 'all indices' }) => index),
    reasons: grouped(tried, ({ outcome, reason }) =>
      reason === undefined ? outcome : `${outcome}: ${reason}`,
    ),
    decisions: grouped(tried, ({ decision, outcome }) =>
      decision === undefined ? outcome : outcomes[decision],
    ),
  }
}

/** The largest group first. */
function grouped(searches: readonly ShadowSearch[], nameOf: (search: ShadowSearch) => string): ShadowGroup[] {
  return Array.from(groupBy(searches, nameOf), ([name, group]) => groupOf(name, group)).sort(
    (one, other) => other.searches - one.searches,
  )
}

function groupOf(name: string, searches: readonly ShadowSearch[]): ShadowGroup {
  const changed = searches.filter(({ outcome }) => outcome === 'changed')
  const meanOf = (cost: 'requests' | 'asks' | 'tokens') => mean(searches.map((search) => search[cost] ?? 0))
  return {
    ...{ name, searches: searches.length, changed: changed.length },
    firstChanged: changed.filter(({ before, after }) => before?.[0] !== after?.[0]).length,
    overlap: mean(changed.map(({ overlap = 0 }) => overlap)),
    displacement: mean(changed.map(moveOf)),
    engineMs: percentilesOf(searches.map(({ engineMs }) => engineMs)),
    optimizedMs: percentilesOf(searches.flatMap(({ optimizedMs = [] }) => optimizedMs)),
    ...{ requests: meanOf('requests'), asks: meanOf('asks'), tokens: meanOf('tokens') },
    usd: searches.reduce((sum, { usd = 0 }) => sum + usd, 0),
  }
}
