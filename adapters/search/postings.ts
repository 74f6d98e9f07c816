/** An inverted index of computed weights in three flat arrays: how it is made, and the search in it. */
import { rankHits, type Scored } from '../../src/rank.ts'
import type { Hit, WordWeights } from '../../src/types.ts'

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

/** Collects the weights of documents, one after the other. */
export function collectPostings(): {
  add(docid: string, weights: WordWeights): void
  finish(): Postings
} {
  const docids: string[] = []
  const tokens = new Map<string, number>()
  const found: { readonly documents: number[]; readonly weights: number[] }[] = []
  return {
    add(docid, weights) {
      for (const [word, weight] of weights) {
        let token = tokens.get(word)
        if (token === undefined) {
          token = tokens.size
          tokens.set(word, token)
          found.push({ documents: [], weights: [] })
        }
        found[token]!.documents.push(docids.length)
        found[token]!.weights.push(weight)
      }
      docids.push(docid)
    },
    finish() {
      const offsets = new Uint32Array(tokens.size + 1)
      for (const [token, { documents }] of found.entries())
        offsets[token + 1] = offsets[token]! + documents.length
      const documents = new Uint32Array(offsets[tokens.size]!)
      const weights = new Float64Array(offsets[tokens.size]!)
      for (const [token, one] of found.entries()) {
        documents.set(one.documents, offsets[token]!)
        weights.set(one.weights, offsets[token]!)
      }
      return { docids, tokens, offsets, documents, weights }
    },
  }
}

/**
 * The `k` best documents. A document's score is the sum of products of its weights and those of the query; unknown words are
 * ignored. A document with none of the words is not a hit, nor is one whose position has 0 in `passes`.
 */
export function searchPostings(
  postings: Postings,
  query: WordWeights,
  k: number,
  passes?: Uint8Array,
): Hit[] {
  const scores = new Float64Array(postings.docids.length)
  for (const [word, times] of query) {
    const token = postings.tokens.get(word)
    if (token === undefined) continue
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

/** How often each word occurs. */
export function countWords(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
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
