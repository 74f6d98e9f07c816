/** An inverted index of computed weights in three flat arrays, and the search in it. */
import { rankHits, type Scored } from '../../src/rank.ts'
import type { Hit } from '../../src/types.ts'

/** Token `t` occurs in `documents[offsets[t]]` to `documents[offsets[t + 1] - 1]`, with the weights at the same positions. */
export interface Postings {
  readonly docids: readonly string[]
  readonly tokens: ReadonlyMap<string, number>
  readonly offsets: Uint32Array
  /** Positions in `docids`. */
  readonly documents: Uint32Array
  /** What each token adds to the score of its document, above 0. */
  readonly weights: Float64Array
}

/**
 * The `k` best documents. A document's score is the sum of the weights of the query's tokens in it. A repeated token counts each
 * time; unknown tokens are ignored. A document with none of the tokens is not a hit, nor is one whose position has 0 in `passes`.
 */
export function searchPostings(
  postings: Postings,
  query: readonly string[],
  k: number,
  passes?: Uint8Array,
): Hit[] {
  const scores = new Float64Array(postings.docids.length)
  for (const [token, times] of counted(query, postings.tokens)) {
    const end = postings.offsets[token + 1]!
    for (let index = postings.offsets[token]!; index < end; index++) {
      scores[postings.documents[index]!]! += times * postings.weights[index]!
    }
  }
  if (passes !== undefined)
    for (let position = 0; position < scores.length; position++)
      if (passes[position] === 0) scores[position] = 0
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

/** The documents that reach the `k`-th best score: at least `k` if there are that many, more if the `k`-th is tied. */
function candidates(scores: Float64Array, docids: readonly string[], k: number): Scored[] {
  const threshold = kthBest(scores, k)
  const scored: Scored[] = []
  for (let position = 0; position < scores.length; position++) {
    const score = scores[position]!
    if (score > 0 && score >= threshold) scored.push({ docid: docids[position]!, score })
  }
  return scored
}

/** The `k`-th best score. Keeps the best so far in a heap with the lowest at its root. Scores are 0 or more. */
function kthBest(scores: Float64Array, k: number): number {
  const heap = new Float64Array(Math.min(k, scores.length))
  for (let position = 0; position < scores.length; position++) {
    const score = scores[position]!
    if (score <= heap[0]!) continue
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++
      if (child >= heap.length || heap[child]! >= score) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = score
  }
  return heap[0] ?? 0
}
