/** What each fault comes to, by where it strikes. The direct outcome is what the same caller has without Querent. */
import type { Way } from './callers.ts'
import { type FaultName, isSlow } from './faults.ts'
import type { Verdict } from './judge.ts'

/** Which requests are spoilt: all, the caller's own, or those of the sub-queries. */
export const places = ['everything', 'search', 'subQueries'] as const
export type Place = (typeof places)[number]

type Expected = Readonly<Record<Place, Verdict>>

const all = (verdict: Verdict): Expected => ({ everything: verdict, search: verdict, subQueries: verdict })

/** The caller's own error, and nobody's where only sub-queries fail. */
const ownError: Expected = { everything: 'same', search: 'same', subQueries: 'said' }
/** A fault of an `_msearch` strikes no search. */
const ofResponses = (verdict: Verdict): Expected => ({ ...all(verdict), search: 'fused' })

const expected: Partial<Record<FaultName, Expected>> = {
  'wrong number of msearch responses': ofResponses('said'),
  'one failed item': ofResponses('part'),
  'all failed': ofResponses('said'),
  'shard failures': all('part'),
  timed_out: all('part'),
  'duplicate ids': all('fused'),
  // What has no score cannot be fused: the engine's own answer is given.
  'null scores': all('said'),
}

/** Where callers differ. */
const differing: Readonly<
  Record<'elasticsearch' | 'opensearch' | 'proxy', Partial<Record<FaultName, Expected>>>
> = {
  // Its client's limit is for the caller's own requests, and not for those that Querent adds.
  elasticsearch: { 'oversized body': { ...ownError, subQueries: 'fused' } },
  // Its client reads all that a text can hold.
  opensearch: { 'oversized body': all('fused') },
  proxy: {
    'reset mid-body': { ...ownError, everything: 'gateway', search: 'gateway' },
    // A proxy reads JSON whatever it is called, and leaves its name as it was.
    'wrong content type': all('fused'),
  },
}

export function expectedOf(way: Way, fault: FaultName, place: Place): Verdict {
  const kind = way.isProxy ? 'proxy' : way.kind
  return (differing[kind][fault] ?? expected[fault] ?? ownError)[place]
}

/** Milliseconds that sub-queries have where their fault is that they are slow, and else, on a machine that is. */
export const legTimeoutOf = (fault: FaultName): number => (isSlow(fault) ? 200 : 20_000)

/** Milliseconds that the application waits: short where nothing comes, so that it ends. */
export const patienceOf = (fault: FaultName, place: Place): number =>
  isSlow(fault) && place !== 'subQueries' ? 300 : 20_000
