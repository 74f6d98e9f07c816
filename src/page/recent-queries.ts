/** The last queries of this browser, for the page before the first search. Conversations are not kept. */
import { jsonOf } from '../runtime/json.ts'

const place = `querent queries ${location.pathname}`
const most = 6

export function recentQueries(): readonly string[] {
  try {
    const kept = jsonOf(localStorage.getItem(place) ?? '[]')
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string').slice(0, most) : []
  } catch {
    return []
  }
}

export function keepQuery(text: string): void {
  try {
    const others = recentQueries().filter((one) => one !== text)
    localStorage.setItem(place, JSON.stringify([text, ...others].slice(0, most)))
  } catch {
    // Private windows keep nothing.
  }
}
