/** The features of documents that are relevant together: each of the first documents alone, and each pair of them. */

import { documentFeatures } from './document-features.ts'
import { checkRow } from './feature-table.ts'
import { pathFeatures } from './path-features.ts'
import { queryFeatures } from './query-features.ts'

/** The inputs for a document alone or for a pair. */
export const pairInputs: readonly string[] = [
  'alone',
  'log probability of the first',
  'log probability of the second',
  'the first’s lead',
  'the second’s lead',
  'highest probability',
  'places',
  ...pathFeatures.map((name) => `${name} (first to second)`),
  ...pathFeatures.map((name) => `${name} (second to first)`),
  ...['first', 'second'].flatMap((which) => documentFeatures.map((name) => `${name} (${which})`)),
  ...queryFeatures,
]

type Group = readonly [number, number?]

const groups = new Map<number, readonly Group[]>()

/** Each of `count` documents alone and with each later one, as indices. */
export function groupsOf(count: number): readonly Group[] {
  const known = groups.get(count)
  if (known !== undefined) return known
  const places = Array.from({ length: count }, (_, place) => place)
  const made = places.flatMap((a): Group[] => [[a], ...places.slice(a + 1).map((b): Group => [a, b])])
  groups.set(count, made)
  return made
}

/** The floor of log probabilities: lower ones do not differ. */
export const lowestLog = -12

/** How many documents of the second step's order the last step scores at most. */
export const topSize = 12

interface Top {
  /** The features of each of the first documents. */
  readonly documents: readonly Float32Array[]
  /** The logarithm of each document's probability. */
  readonly logs: readonly number[]
  /** Writes the features of the path from one document to another into `row`, starting at `at`. */
  readonly writePath: (row: Float32Array, at: number, from: number, to: number) => void
  /** The features of the question. */
  readonly query: Float32Array
}

/** groups × pairInputs for the groups of these documents (see `groupsOf`). */
export function groupFeatures({ documents, logs, writePath, query }: Top): Float32Array {
  const list = groupsOf(documents.length)
  const features = new Float32Array(list.length * pairInputs.length)
  const logOf = (place: number): number => Math.max(lowestLog, logs[place]!)
  list.forEach(([a, b], row) => {
    const start = row * pairInputs.length
    let next = start
    const put = (value: number): void => {
      features[next++] = value
    }
    const pair = b !== undefined
    put(pair ? 0 : 1)
    put(logOf(a))
    put(pair ? logOf(b) : 0)
    put(logOf(a) - logOf(Math.min(documents.length - 1, a + 1)))
    put(pair ? logOf(b) - logOf(Math.min(documents.length - 1, b + 1)) : 0)
    put(Math.exp(logOf(0)))
    put(pair ? a + b : a)
    if (pair) {
      writePath(features, next, a, b)
      writePath(features, next + pathFeatures.length, b, a)
    }
    next += 2 * pathFeatures.length
    for (const place of [a, b]) {
      if (place !== undefined) features.set(documents[place]!, next)
      next += documentFeatures.length
    }
    features.set(query, next)
    checkRow('pairInputs', pairInputs, next + query.length - start)
  })
  return features
}
