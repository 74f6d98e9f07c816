/** From the output of a SPLADE model to weights of words, and from a table of weights. */
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
 * @param twice whether the logarithm is taken twice, as OpenSearch's models that weigh documents alone do (arXiv 2504.14839)
 */
export function wordWeights(
  { data, dims }: SpladeOutput,
  text: number,
  tokens: number,
  words: readonly string[],
  twice = false,
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
    if (value <= 0) continue
    const weight = dims.length === 3 ? Math.log1p(value) : value
    weights.set(words[word] ?? `[${word}]`, twice && dims.length === 3 ? Math.log1p(weight) : weight)
  }
  return weights
}

/** The weights of a query's words in a table, each word once. Those that it lacks or weighs 0 are left out. */
export function tableWeights(
  ids: readonly number[],
  words: readonly string[],
  table: ReadonlyMap<string, number>,
): WordWeights {
  const known = [...new Set(ids)].map((id) => words[id]!)
  return new Map(
    known.map((word) => [word, table.get(word) ?? 0] as const).filter(([, weight]) => weight > 0),
  )
}
