/** The rounds of one search: every text is searched once, and its legs answer whoever wants them. */
import type { Ledger } from './budget.ts'
import { bySearchKey, searchKey } from './dedupe.ts'
import type { TimedLeg } from './fan-out.ts'
import type { NarrowedText, RetrieveRequest, SearchText } from './policy.ts'
import { type Recorder, toLegTrace } from './trace.ts'
import type { Leg, Query, RankedList, SubQuery } from './types.ts'

export interface RoundSettings {
  readonly query: Query
  readonly signal: AbortSignal
  readonly recorder: Recorder
  readonly ledger: Ledger
  /** One request to all retrievers. Never rejects. */
  readonly search: (round: number, subQueries: readonly SubQuery[], filter: unknown) => Promise<TimedLeg[]>
}

export interface Rounds {
  /** The legs of round 0. */
  readonly original: Promise<readonly Leg[]>
  /** All lists that have come so far. */
  readonly lists: readonly RankedList[]
  /** See `Tools.retrieve`. */
  retrieve(texts: readonly SearchText[], request: RetrieveRequest): Promise<readonly Leg[]>
  /** See `Tools.narrow`. */
  narrow(texts: readonly NarrowedText[], reason?: string): Promise<readonly Leg[]>
}

/** A text that is or was searched. */
interface Searched {
  readonly subQuery: SubQuery
  /** All legs of its round. */
  readonly legs: Promise<readonly TimedLeg[]>
}

/** Starts round 0. */
export function startRounds({ query, signal, recorder, ledger, search }: RoundSettings): Rounds {
  const lists: RankedList[] = []
  const original: SubQuery = { text: query.text, round: 0 }
  const first = recorder.follow(request(0, [original], query.filter))
  /** By search key. */
  const searched = new Map<string, Searched>([[searchKey(query.text), { subQuery: original, legs: first }]])

  function request(
    round: number,
    subQueries: readonly SubQuery[],
    filter: unknown,
    reason?: string,
  ): Promise<TimedLeg[]> {
    const step = recorder.begin<'retrieve'>({
      type: 'retrieve',
      round,
      subQueries,
      legs: [],
      ...(reason !== undefined && { reason }),
    })
    return recorder.during(step, async () => {
      const legs = await search(round, subQueries, filter)
      step.legs = legs.map(toLegTrace)
      for (const leg of legs) if (leg.error === undefined) lists.push(leg)
      return legs
    })
  }

  async function retrieve(
    given: readonly SearchText[],
    { reason, filter = query.filter }: RetrieveRequest,
  ): Promise<readonly Leg[]> {
    signal.throwIfAborted()
    // Under another filter the same words are another search.
    const answers = filter === query.filter ? searched : new Map<string, Searched>()
    const distinct = bySearchKey(given)
    const wanted = new Map([...distinct].filter(([, { votes = true }]) => votes))
    if (wanted.size === 0) wanted.set(searchKey(query.text), original)
    const all = new Map(wanted)
    for (const [key, text] of distinct) if (!all.has(key)) all.set(key, text)
    const missing = [...all].filter(([key]) => !answers.has(key))
    if (missing.length > 0) {
      const round = ledger.round(missing.length)
      const subQueries = missing.map(([, { text, from }]) => ({
        text,
        round,
        ...(from !== undefined && { from }),
      }))
      const legs = request(round, subQueries, filter, reason)
      for (const [place, [key]] of missing.entries()) answers.set(key, { subQuery: subQueries[place]!, legs })
    }
    const searches = Array.from(all.keys(), (key) => answers.get(key)!)
    const decided = searches.slice(0, wanted.size).map(({ subQuery }) => subQuery)
    recorder.retrieved(decided, reason)
    // All of them are awaited: re-ranking reads the lists of the texts that do not vote, too.
    const byRound = new Map(searches.map(({ subQuery, legs }) => [subQuery.round, legs]))
    const rounds = [...byRound].sort(([one], [other]) => one - other).map(([, legs]) => legs)
    const legs = (await Promise.all(rounds)).flat()
    const texts = new Set(decided.map(({ text }) => text))
    return legs.filter(({ subQuery }) => texts.has(subQuery.text))
  }

  async function narrow(
    texts: readonly NarrowedText[],
    reason = 'the filters that were read out of the query',
  ): Promise<readonly Leg[]> {
    signal.throwIfAborted()
    const round = ledger.narrow(texts.length)
    const subQueries = texts.map((text) => ({ ...text, round }))
    return request(round, subQueries, query.filter, reason)
  }

  return { original: first, lists, retrieve, narrow }
}
