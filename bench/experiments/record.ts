/** What systems did, query by query: plain JSON, small enough to be kept for every seed. */

import type { RewardOptions } from '../../policies/local/training/action-space.ts'
import type { AppliedDecision } from '../../policies/local/training/apply-decision.ts'
import { widens } from '../../policies/local/wider-pool.ts'
import { yieldAt } from '../../src/runtime/yield.ts'
import type { ChoiceTable } from './choice-table.ts'
import { measure, measureNames } from './measures.ts'
import type { Rerank } from './reranked.ts'

/** One value an example; null where it was not measured. */
export type Column = readonly (number | null)[]

export interface SystemRecord {
  /** Measure → values of the decision alone. */
  readonly alone: Readonly<Record<string, Column>>
  /** The same after re-ranking. */
  readonly reranked: Readonly<Record<string, Column>>
  /** How many there were. */
  readonly subQueries: Column
  /** 1 where some were made from what the query as it is found, else 0. */
  readonly secondStage: Column
  /** 1 where re-ranking makes a second request, for sub-queries or for a wider pool, else 0. */
  readonly requestTwo: Column
}

export interface Recorder {
  /**
   * Measures what a system chose.
   *
   * @param examples the place of each table's query among the examples
   * @throws QuerentError `aborted`
   */
  note(
    system: string,
    examples: readonly number[],
    tables: readonly ChoiceTable[],
    taken: readonly AppliedDecision[],
    options?: { readonly rerank?: Rerank | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<void>
  systems(): Readonly<Record<string, SystemRecord>>
}

/** @param size how many examples there are */
export function createRecorder(size: number, reward: RewardOptions): Recorder {
  type Open = { [Key in keyof SystemRecord]: SystemRecord[Key] extends Column ? (number | null)[] : Columns }
  type Columns = Record<string, (number | null)[]>
  const empty = (): (number | null)[] => new Array<number | null>(size).fill(null)
  const columns = (): Columns => Object.fromEntries(measureNames.map((name) => [name, empty()]))
  const systems: Record<string, Open> = {}
  return {
    async note(system, examples, tables, taken, { rerank, signal } = {}) {
      systems[system] ??= {
        alone: columns(),
        reranked: columns(),
        subQueries: empty(),
        secondStage: empty(),
        requestTwo: empty(),
      }
      const record = systems[system]
      for (const [row, example] of examples.entries()) {
        await yieldAt(row, signal)
        const table = tables[row]!
        const { choice, isSure } = taken[row]!
        const alone = table.measures(choice)
        const { golds } = table.prepared.example
        const reranked = rerank && measure(await rerank(table, taken[row]!), golds, reward)
        for (const [place, name] of measureNames.entries()) {
          record.alone[name]![example] = rounded(alone[place]!)
          if (reranked !== undefined) record.reranked[name]![example] = rounded(reranked[place]!)
        }
        record.subQueries[example] = table.size(choice)
        record.secondStage[example] = table.hasSecondStage(choice) ? 1 : 0
        record.requestTwo[example] = widens(table.prepared.choices[choice]!, isSure) ? 1 : 0
      }
    },
    systems: () => systems,
  }
}

/** To six decimals: more is no information, and there are millions of them. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6
