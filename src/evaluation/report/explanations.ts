/** Keeps the searches of a comparison, packed, until the report chooses which of them it explains. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { SearchResult } from '../../types.ts'
import { type ExplainedSearch, explainedSearch } from './explained-search.ts'

export interface Explanations {
  /** Keeps the search of a system. Documents of its hits are shown with them, and its judgments. */
  add(system: string, qid: string, result: SearchResult, grades: ReadonlyMap<string, number>): void
  find(system: string, qid: string): ExplainedSearch | undefined
}

/** A packed search takes 2 to 5 kB. */
const mostSearches = 20_000

/** The first 20,000 searches are kept. Of others, the report has the figures only. */
export function collectExplanations(): Explanations {
  const kept = new Map<string, Buffer>()
  const keyOf = (system: string, qid: string): string => JSON.stringify([system, qid])
  return {
    add(system, qid, result, grades) {
      if (kept.size >= mostSearches) return
      kept.set(keyOf(system, qid), deflateRawSync(JSON.stringify(explainedSearch(result, grades))))
    },
    find(system, qid) {
      const packed = kept.get(keyOf(system, qid))
      return packed && (JSON.parse(inflateRawSync(packed).toString()) as ExplainedSearch)
    },
  }
}
