/**
 * The same number of requests for all: a rival that sends more than the learned policy searches its sets for a share of the
 * queries only, which knows nothing of them, and leaves the others alone.
 */
import { mean } from '../../src/learn/statistics.ts'
import type { RequestPoint } from './experiments.ts'
import { type MeasureName, measureNames } from './measures.ts'
import type { Column, SystemRecord } from './record.ts'
import type { Records } from './records.ts'
import { dialNames, searchingSet, systemNames } from './systems.ts'

const rivals = [systemNames.uniform, searchingSet, systemNames.contextFree] as const
const ways = ['alone', 'reranked'] as const

type Way = (typeof ways)[number]

/** A rival that sends as many requests as the learned policy. */
export const atEqual = (rival: string): string => `${rival}, with as many requests`

export const equalRivals: readonly string[] = rivals.map(atEqual)

/** All records, and those of rivals with as many requests as the learned policy. */
export function withEqualRequests(records: Records): Records {
  const learned = records.get(systemNames.learned) ?? []
  const equal = rivals.map((rival): [string, (SystemRecord | undefined)[]] => [
    atEqual(rival),
    (records.get(rival) ?? []).map((_, seed) => {
      const own = learned[seed]
      return own && asMany(records, rival, seed, own)
    }),
  ])
  return new Map([...records, ...equal])
}

const settings = [systemNames.asIs, dialNames.low, systemNames.learned, dialNames.high, dialNames.ungated]

/** What each setting of the learned policy costs and finds, and what the rivals find with as many requests. */
export function requestCurve(records: Records): RequestPoint[] {
  return settings.flatMap((name) => {
    const [alone, reranked] = ways.map((way) => standing(records, name, way))
    return alone === undefined ? [] : [{ name, alone, ...(reranked && { reranked }) }]
  })
}

function standing(records: Records, name: string, way: Way): RequestPoint['alone'] | undefined {
  const measured = (records.get(name) ?? []).flatMap((record, seed) =>
    record && valuesIn(record[way].reward!).length > 0 ? [{ record, seed }] : [],
  )
  if (measured.length === 0) return undefined
  const own = measured.map(({ record }) => record)
  const withAsMany = (rival: string): SystemRecord[] =>
    measured.flatMap(({ record, seed }) => asMany(records, rival, seed, record) ?? [])
  return {
    requests: mean(own.map((record) => requestsOf(record, way))),
    found: means(own, way),
    rivals: Object.fromEntries(rivals.map((rival) => [rival, means(withAsMany(rival), way)])),
  }
}

/** The rival with as many requests as a record has. */
function asMany(
  records: Records,
  rival: string,
  seed: number,
  record: SystemRecord,
): SystemRecord | undefined {
  const [raw, other] = [systemNames.asIs, rival].map((name) => records.get(name)?.[seed])
  return raw && other && mixedRecord(raw, other, (way) => requestsOf(record, way))
}

/** The share of the queries with a second request. */
function requestsOf(record: SystemRecord, way: Way): number {
  const measured = record[way].reward!
  const sent = way === 'alone' ? record.subQueries : record.requestTwo
  return mean(
    sent.flatMap((value, index) =>
      value === null || (measured[index] ?? null) === null ? [] : [value > 0 ? 1 : 0],
    ),
  )
}

/** Expected values where the rival searches for as many queries as it may, and where it sends fewer anyway, for all that it would. */
function mixedRecord(raw: SystemRecord, rival: SystemRecord, allowed: (way: Way) => number): SystemRecord {
  const share = (way: Way): number => {
    const own = requestsOf(rival, way)
    return own === 0 ? 1 : Math.min(1, allowed(way) / own)
  }
  const columns = (way: Way) =>
    Object.fromEntries(
      measureNames.map((name) => [name, mixed(raw[way][name]!, rival[way][name]!, share(way))]),
    )
  return {
    alone: columns('alone'),
    reranked: columns('reranked'),
    subQueries: mixed(raw.subQueries, rival.subQueries, share('alone')),
    secondStage: mixed(raw.secondStage, rival.secondStage, share('alone')),
    requestTwo: mixed(raw.requestTwo, rival.requestTwo, share('reranked')),
  }
}

const mixed = (raw: Column, rival: Column, share: number): Column =>
  raw.map((value, index) => {
    const other = rival[index] ?? null
    return value === null || other === null ? null : value + share * (other - value)
  })

const valuesIn = (column: Column): number[] => column.filter((value) => value !== null)

const means = (records: readonly SystemRecord[], way: Way): Record<MeasureName, number> =>
  Object.fromEntries(
    measureNames.map((name) => [name, mean(records.map((record) => mean(valuesIn(record[way][name]!))))]),
  ) as Record<MeasureName, number>
