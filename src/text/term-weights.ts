/**
 * Inverse document frequencies from a sample of documents. The documents of a search cluster cannot always be counted, so a
 * trained policy contains the weights that it was trained with.
 */

import { z } from 'zod'
import { groupBy } from '../runtime/group-by.ts'
import type { Document } from '../types.ts'
import { lowered } from './lowered.ts'
import { scan } from './scan.ts'
import { stemOf } from './stem.ts'

/** The document frequencies of stems in a sample. Plain JSON. */
export interface TermWeights {
  /** Number of documents counted. */
  readonly documents: number
  /** Document frequency, rounded to two digits → the stems with that frequency, separated by spaces. */
  readonly stems: Readonly<Record<string, string>>
}

export const termWeightsSchema: z.ZodType<TermWeights> = z.strictObject({
  documents: z.int().positive(),
  stems: z.record(z.string().regex(/^[1-9]\d*$/), z.string()),
})

/** About 120 KB of JSON. */
const defaultMaxStems = 15_000

/**
 * Counts the stems of documents, including titles.
 *
 * @param maxStems number of stems to keep, most frequent first. Default: 15,000
 */
export function countTerms(documents: Iterable<Document>, maxStems: number = defaultMaxStems): TermWeights {
  const stems = new Map<string, string>()
  const counts = new Map<string, number>()
  let size = 0
  for (const { title = '', text } of documents) {
    size++
    const found = new Set<string>()
    const all = `${title}\n${text}`
    const { count, starts, ends } = scan(all)
    for (let place = 0; place < count; place++) {
      const word = all.slice(starts[place], ends[place])
      let stem = stems.get(word)
      if (stem === undefined) {
        stem = stemOf(lowered(word))
        stems.set(word, stem)
      }
      found.add(stem)
    }
    for (const stem of found) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  }
  const kept = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, maxStems)
  const groups = groupBy(kept, ([, count]) => Number(count.toPrecision(2)))
  return {
    documents: Math.max(1, size),
    stems: Object.fromEntries(
      [...groups].map(([count, group]) => [count, group.map(([stem]) => stem).join(' ')]),
    ),
  }
}

/**
 * Returns a function from a stem to its weight, the inverse document frequency ln(1 + N / (n + ½)). n is 0 for stems that
 * were not kept.
 */
export function weightOf({ documents, stems }: TermWeights): (stem: string) => number {
  const weight = (count: number): number => Math.log(1 + documents / (count + 0.5))
  const weights = new Map<string, number>()
  for (const [count, group] of Object.entries(stems))
    for (const stem of group.split(' ')) weights.set(stem, weight(Number(count)))
  return (stem) => weights.get(stem) ?? weight(0)
}
