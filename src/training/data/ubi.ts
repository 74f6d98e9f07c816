/**
 * Makes searches with clicks from the logs of User Behavior Insights: what was searched (`ubi_queries`), and what users did with
 * the hits (`ubi_events`), joined by `query_id`.
 */
import type { Click, ClickedSearch } from './clicks.ts'

/** What `ubi_queries` knows of a search. A search of several pages may have one record for each. */
export interface UbiQuery {
  readonly queryId: string
  /** The words of the user. Absent if they were not logged. */
  readonly text?: string
  /** The docids of the hits, best first. */
  readonly hits: readonly string[]
  /** Milliseconds since 1970. */
  readonly time?: number
  readonly application?: string
}

/** What `ubi_events` knows of a document of a search. */
export interface UbiEvent {
  readonly queryId: string
  /** Such as `click`, `impression` or `purchase`. */
  readonly action: string
  /** The names of the document, the likeliest docid first. */
  readonly docids: readonly string[]
  /** The position among the hits. Only the order counts. */
  readonly ordinal?: number
  readonly time?: number
  readonly application?: string
}

export interface UbiLogs {
  readonly queries: AsyncIterable<UbiQuery> | Iterable<UbiQuery>
  readonly events: AsyncIterable<UbiEvent> | Iterable<UbiEvent>
}

export interface UbiOptions {
  /** The actions that count as clicks. Default: `click`. */
  readonly actions?: readonly string[] | undefined
  /** Leave out what other applications logged. Default: all applications. */
  readonly application?: string | undefined
  /** Leave out what was logged before, in milliseconds since 1970, or has no time. Default: nothing. */
  readonly since?: number | undefined
}

export interface UbiSearches {
  /** In the order of time, then of their ids. */
  readonly searches: readonly ClickedSearch[]
  /** Number of searches without a click of which nobody says what was shown. */
  readonly unclicked: number
  /** Number of searches that were seen or clicked whose words or hits were not logged. */
  readonly incomplete: number
  /** Number of query ids with clicks that the log of queries does not have. */
  readonly unknown: number
}

/** Events that say that a document was shown. */
const impression = 'impression'

/** The records of one query id. */
interface Noted {
  readonly clicks: UbiEvent[]
  readonly impressions: UbiEvent[]
  readonly queries: UbiQuery[]
}

/**
 * Joins both logs. A search without a click is one of `searches` where `impression` events say what was shown.
 *
 * What was shown comes from `impression` events with a position if a search has any, since they say what the user saw. Otherwise
 * it is what the engine returned.
 */
export async function searchesOfUbi(
  { queries, events }: UbiLogs,
  { actions = ['click'], application, since = Number.NEGATIVE_INFINITY }: UbiOptions = {},
): Promise<UbiSearches> {
  const isMeant = ({ application: name, time = Number.NEGATIVE_INFINITY }: UbiQuery | UbiEvent): boolean =>
    (application === undefined || name === application) && time >= since
  const byId = new Map<string, Noted>()
  for await (const event of events) {
    const isClick = actions.includes(event.action)
    if (!isMeant(event) || (!isClick && event.action !== impression)) continue
    const noted = byId.get(event.queryId) ?? { clicks: [], impressions: [], queries: [] }
    byId.set(event.queryId, noted)
    noted[isClick ? 'clicks' : 'impressions'].push(event)
  }
  const unclicked = new Set<string>()
  for await (const query of queries) {
    if (!isMeant(query)) continue
    const noted = byId.get(query.queryId)
    if (noted === undefined || !isSeen(noted)) unclicked.add(query.queryId)
    else noted.queries.push(query)
  }
  const seen = [...byId.values()].filter(isSeen)
  const known = seen.filter(({ queries: logged }) => logged.length > 0)
  const joined = known.map(joinedSearch)
  const complete = joined.filter((search) => search !== undefined)
  return {
    searches: complete.toSorted(byTime).map(({ search }) => search),
    unclicked: unclicked.size,
    incomplete: joined.length - complete.length,
    unknown: seen.filter(({ clicks, queries: logged }) => clicks.length > 0 && logged.length === 0).length,
  }
}

/** Whether it is known what the user saw or clicked. */
const isSeen = ({ clicks, impressions }: Noted): boolean =>
  clicks.length > 0 || impressions.some(({ ordinal }) => ordinal !== undefined)

interface Joined {
  readonly search: ClickedSearch
  readonly time: number
  readonly queryId: string
}

const byTime = (one: Joined, other: Joined): number =>
  one.time - other.time || (one.queryId < other.queryId ? -1 : 1)

/** Undefined if the words or the hits were not logged. */
function joinedSearch({ clicks, impressions, queries }: Noted): Joined | undefined {
  const pages = queries.toSorted((one, other) => (one.time ?? 0) - (other.time ?? 0))
  const text = pages.find((page) => page.text !== undefined)?.text
  const returned = [...new Set(pages.flatMap(({ hits }) => hits))]
  const shown = seen([...impressions, ...clicks], returned) ?? returned
  if (text === undefined || shown.length === 0) return undefined
  const { queryId, time = 0 } = pages[0]!
  return {
    queryId,
    time,
    search: {
      query: { text },
      shown,
      clicks: clicks.map((event): Click => ({ docid: docidIn(shown, event) })),
    },
  }
}

/** What the user saw, best first, and then what was clicked without a position. Undefined if no impression has a position. */
function seen(events: readonly UbiEvent[], returned: readonly string[]): readonly string[] | undefined {
  const placed = events.filter((event) => event.ordinal !== undefined)
  if (!placed.some(({ action }) => action === impression)) return undefined
  const inOrder = placed.toSorted((one, other) => one.ordinal! - other.ordinal!)
  const unplaced = events.filter(({ action, ordinal }) => action !== impression && ordinal === undefined)
  return [...new Set([...inOrder, ...unplaced].map((event) => docidIn(returned, event)))]
}

/** The name of an event's document by which it is known, otherwise the likeliest. */
const docidIn = (known: readonly string[], { docids }: UbiEvent): string =>
  docids.find((docid) => known.includes(docid)) ?? docids[0]!
