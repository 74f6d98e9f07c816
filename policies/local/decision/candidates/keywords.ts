import type { Lexicon } from '../../../../src/text/lexicon.ts'
import { type Question, wordsOf } from '../../rerank/question.ts'

/** The minimum weight of a keyword, relative to the mean weight. */
const leastWeight = 0.6

/** The most informative words of the question. Empty if these are all of its content words. */
export function keywordsOf(question: Question, lexicon: Lexicon): string[] {
  const { contentStems } = question.text
  const mean =
    contentStems.reduce((sum, stem) => sum + lexicon.weight(stem), 0) / Math.max(1, contentStems.length)
  let bits = 0
  for (const stem of contentStems)
    if (lexicon.weight(stem) >= leastWeight * mean) bits |= question.bitOf(stem)
  if (bits === question.all || bits === 0) return []
  return [wordsOf(question, bits, lexicon)]
}
