/** The last queries of this browser, for the page before the first search. Conversations are not kept. */
import { keep, placeOf, readKept } from './kept.ts'

const place = placeOf('queries')
const most = 6

export function recentQueries(): readonly string[] {
  const kept = readKept(place)
  return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string').slice(0, most) : []
}

export const keepQuery = (text: string): void =>
  void keep(place, [text, ...recentQueries().filter((one) => one !== text)].slice(0, most))
