/** What systems did, query by query: plain JSON, small enough to be kept for every seed. */
import { measureNames } from './measures.ts'

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
}

/** A measured query. */
export interface Measured {
  /** By `measureNames`. */
  readonly alone: readonly number[]
  readonly reranked?: readonly number[] | undefined
  readonly subQueries: number
  readonly secondStage: boolean
}

export interface Recorder {
  note(system: string, example: number, measured: Measured): void
  systems(): Readonly<Record<string, SystemRecord>>
}

/** @param examples how many there are */
export function createRecorder(examples: number): Recorder {
  type Open = { [Key in keyof SystemRecord]: SystemRecord[Key] extends Column ? (number | null)[] : Columns }
  type Columns = Record<string, (number | null)[]>
  const empty = (): (number | null)[] => new Array<number | null>(examples).fill(null)
  const columns = (): Columns => Object.fromEntries(measureNames.map((name) => [name, empty()]))
  const systems: Record<string, Open> = {}
  return {
    note(system, example, { alone, reranked, subQueries, secondStage }) {
      systems[system] ??= { alone: columns(), reranked: columns(), subQueries: empty(), secondStage: empty() }
      const record = systems[system]
      for (const [place, name] of measureNames.entries()) {
        record.alone[name]![example] = rounded(alone[place]!)
        if (reranked !== undefined) record.reranked[name]![example] = rounded(reranked[place]!)
      }
      record.subQueries[example] = subQueries
      record.secondStage[example] = secondStage ? 1 : 0
    },
    systems: () => systems,
  }
}

/** To six decimals: more is no information, and there are millions of them. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6
