/** An inverted index of finished weights in three flat arrays, and the search in it. */
import { rankHits, type Scored } from '../../src/rank.ts'
import type { Hit } from '../../src/types.ts'

/** Token `t` stands in documents `documents[offsets[t]]` up to `documents[offsets[t + 1]]`, with those weights. */
export interface Postings {
  readonly docids: readonly string[]
  readonly tokens: ReadonlyMap<string, number>
  readonly offsets: Uint32Array
  /** Positions in `docids`. */
  readonly documents: Uint32Array
  /** What a token adds to the document's score; above 0. */
  readonly weights: Float64Array
}

/**
 * The `k` best documents, each scored with the sum of the weights of the query's tokens in it; a token that comes twice
 * counts twice, unknown ones not at all. Documents without any of them are no hits.
 */
export function searchPostings(postings: Postings, query: readonly string[], k: number): Hit[] {
  const scores = new Float64Array(postings.docids.length)
  for (const [token, times] of counted(query, postings.tokens)) {
    const end = postings.offsets[token + 1]!
    for (let index = postings.offsets[token]!; index < end; index++) {
      scores[postings.documents[index]!]! += times * postings.weights[index]!
    }
  }
  return rankHits(candidates(scores, postings.docids, k), k)
}

function counted(query: readonly string[], tokens: ReadonlyMap<string, number>): Map<number, number> {
  const counts = new Map<number, number>()
  for (const word of query) {
    const token = tokens.get(word)
    if (token !== undefined) counts.set(token, (counts.get(token) ?? 0) + 1)
  }
  return counts
}

/** The documents that reach the `k`-th best score: at least `k` where there are as many, more where that one is tied. */
function candidates(scores: Float64Array, docids: readonly string[], k: number): Scored[] {
  const found = scores.filter((score) => score > 0).sort()
  const least = found[Math.max(0, found.length - k)] ?? Number.POSITIVE_INFINITY
  const scored: Scored[] = []
  scores.forEach((score, position) => {
    if (score >= least) scored.push({ docid: docids[position]!, score })
  })
  return scored
}
