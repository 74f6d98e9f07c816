/**
 * How much words say, from a sample of documents. What is searched may live on a cluster that nobody can count, so that
 * the weights of words travel with what was trained on them.
 */
import { z } from 'zod'
import type { Document } from '../types.ts'
import { scan } from './scan.ts'
import { lowered, stemOf } from './stem.ts'

/** In how many documents of a sample stems stand. Plain JSON. */
export interface TermWeights {
  /** How many documents were counted. */
  readonly documents: number
  /** Number of documents → the stems that stand in so many (to two digits), with a space between. */
  readonly stems: Readonly<Record<string, string>>
}

export const termWeightsSchema: z.ZodType<TermWeights> = z.strictObject({
  documents: z.int().positive(),
  stems: z.record(z.string().regex(/^[1-9]\d*$/), z.string()),
})

/** Some 120 KB of JSON. */
const defaultMost = 15_000

/**
 * Counts the stems of documents, titles included.
 *
 * @param most how many stems are kept, those in the most documents. Default: 15,000
 */
export function countTerms(documents: Iterable<Document>, most: number = defaultMost): TermWeights {
  const stems = new Map<string, string>()
  const counts = new Map<string, number>()
  let size = 0
  for (const { title = '', text } of documents) {
    size++
    const found = new Set<string>()
    const all = `${title}\n${text}`
    const { starts, ends } = scan(all)
    for (let place = 0; place < starts.length; place++) {
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
  const kept = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, most)
  const groups = new Map<number, string[]>()
  for (const [stem, count] of kept) {
    const group = Number(count.toPrecision(2))
    groups.set(group, [...(groups.get(group) ?? []), stem])
  }
  return {
    documents: Math.max(1, size),
    stems: Object.fromEntries([...groups].map(([count, group]) => [count, group.join(' ')])),
  }
}

/** A function from stem to weight: its inverse document frequency ln(1 + N / (n + ½)). Stems that were not kept are rare. */
export function weightOf({ documents, stems }: TermWeights): (stem: string) => number {
  const weight = (count: number): number => Math.log(1 + documents / (count + 0.5))
  const weights = new Map<string, number>()
  for (const [count, group] of Object.entries(stems))
    for (const stem of group.split(' ')) weights.set(stem, weight(Number(count)))
  return (stem) => weights.get(stem) ?? weight(0)
}
