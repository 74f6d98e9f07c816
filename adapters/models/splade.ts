/** From the output of a SPLADE model to weights of words. */
import type { WordWeights } from '../../src/types.ts'

/** The output for one batch. */
export interface SpladeOutput {
  readonly data: Float32Array
  /** `[texts, words]` for weights, or `[texts, tokens, words]` for logits. */
  readonly dims: readonly number[]
}

/**
 * The weights above 0 of one text. Logits become weights as in SPLADE-max (arXiv 2109.10086): the largest of log(1 + max(0, logit))
 * over the tokens of the text.
 *
 * @param tokens of the text; the others are padding
 */
export function wordWeights(
  { data, dims }: SpladeOutput,
  text: number,
  tokens: number,
  words: readonly string[],
): WordWeights {
  const size = dims.at(-1)!
  const rows = dims.length === 3 ? dims[1]! : 1
  const counted = dims.length === 3 ? tokens : 1
  const best = new Float32Array(size)
  for (let row = 0; row < counted; row++) {
    const start = (text * rows + row) * size
    for (let word = 0; word < size; word++) best[word] = Math.max(best[word]!, data[start + word]!)
  }
  const weights = new Map<string, number>()
  for (let word = 0; word < size; word++) {
    const value = best[word]!
    if (value > 0) weights.set(words[word] ?? `[${word}]`, dims.length === 3 ? Math.log1p(value) : value)
  }
  return weights
}
