/** What the browser keeps for the page. Servers of one host share their storage, so each page has a place of its own. */

/** @param what `queries`, `judgments` … The port is part of the origin, the path is not. */
export const placeOf = (what: string): string => `querent ${what} ${location.pathname}`

/** `undefined` if nothing is kept, or nothing that is JSON. */
export function readKept(place: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(place) ?? '')
  } catch {
    return undefined
  }
}

/** @returns whether the browser keeps it. Private windows and full storages do not. */
export function keep(place: string, value: unknown): boolean {
  try {
    localStorage.setItem(place, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

const queries = placeOf('queries')
const mostQueries = 6

/** The last queries, for the page before the first search. Conversations are not kept. */
export function recentQueries(): readonly string[] {
  const kept = readKept(queries)
  return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string').slice(0, mostQueries) : []
}

export const keepQuery = (text: string): void =>
  void keep(queries, [text, ...recentQueries().filter((one) => one !== text)].slice(0, mostQueries))
