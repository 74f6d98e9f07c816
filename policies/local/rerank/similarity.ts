/**
 * The similarity of a document to those that are probably relevant, in words that the question does not have. Relevance feedback
 * (Rocchio 1971) searches with these words; here they compare. Documents are sets of stems with weights, compared by cosine.
 */

import type { Lexicon } from '../../../src/text/lexicon.ts'
import type { ParsedDocument } from '../../../src/text/parse-document.ts'
import type { Question } from './question.ts'

/** Summed weights of stems, reused by one pool after the other. */
let sums = new Float64Array(1 << 14)

/** Documents of a pool, to be compared without the words of the question. */
export interface Vectors {
  readonly stems: readonly Int32Array[]
  /** The lengths of the documents' vectors, without the stems of the question. */
  readonly lengths: Float64Array
  readonly bitOf: Question['bitOf']
}

export function vectorsOf(
  reads: readonly ParsedDocument[],
  { bitOf }: Question,
  { weight }: Lexicon,
): Vectors {
  const lengths = new Float64Array(reads.length)
  const stems = reads.map(({ contentStems }, row) => {
    let square = 0
    for (let place = 0; place < contentStems.length; place++) {
      const stem = contentStems[place]!
      if (bitOf(stem) === 0) square += weight(stem) ** 2
    }
    lengths[row] = Math.sqrt(square) || 1
    return contentStems
  })
  return { stems, lengths, bitOf }
}

/**
 * For each document, its mean cosine with the others, weighted by `shares`. From 0 to 1.
 *
 * @param shares of each document, from 0; their sum is above 0
 * @param rows the documents to compare with; the shares of all others count as 0
 */
export function similarityOf(
  { stems, lengths, bitOf }: Vectors,
  shares: ArrayLike<number>,
  rows: ArrayLike<number>,
  lexicon: Lexicon,
): Float64Array {
  const own = new Float64Array(stems.length)
  let total = 0
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place]!
    own[row] = shares[row]!
    total += shares[row]!
    const share = shares[row]! / lengths[row]!
    const stemsOfRow = stems[row]!
    for (let at = 0; at < stemsOfRow.length; at++) {
      const stem = stemsOfRow[at]!
      if (bitOf(stem) !== 0) continue
      if (stem >= sums.length) widen(stem)
      sums[stem]! += share * lexicon.weight(stem) ** 2
    }
  }
  const likeness = new Float64Array(stems.length)
  for (let row = 0; row < stems.length; row++) {
    const stemsOfRow = stems[row]!
    let sum = 0
    for (let place = 0; place < stemsOfRow.length; place++) sum += sums[stemsOfRow[place]!] ?? 0
    const rest = total - own[row]!
    likeness[row] = rest <= 0 ? 0 : Math.max(0, sum / lengths[row]! - own[row]!) / rest
  }
  for (let place = 0; place < rows.length; place++) for (const stem of stems[rows[place]!]!) sums[stem] = 0
  return likeness
}

function widen(stem: number): void {
  const wider = new Float64Array(1 << (32 - Math.clz32(stem)))
  wider.set(sums)
  sums = wider
}
