/**
 * How well an answer matches the expected ones: exact match and token F1, as in the evaluation of SQuAD (Rajpurkar et
 * al., EMNLP 2016).
 */

/**
 * What becomes of punctuation. `squad`: deleted ("non-ferrous" → "nonferrous"), as SQuAD's script does. `space`: replaced
 * by a blank ("non ferrous"), as the rewards of MMOA-RAG and MAO-ARAG do.
 */
export type AnswerNormalisation = 'squad' | 'space'

// Python's `string.punctuation`: SQuAD's script leaves any other sign where it is.
const punctuation = /[!-/:-@[-`{-~]/g
// Python's `\b` knows letters and digits of every script, JavaScript's only those of ASCII.
const articles = /(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu

/** The words of an answer: lower case, without punctuation and without the articles a, an and the. */
export function answerTokens(text: string, normalisation: AnswerNormalisation = 'squad'): string[] {
  return text
    .toLowerCase()
    .replace(punctuation, normalisation === 'squad' ? '' : ' ')
    .replace(articles, ' ')
    .split(/\s+/)
    .filter((token) => token !== '')
}

/** 1 where the answer equals one of the expected answers after normalisation, else 0; 0 where none is expected. */
export function exactMatch(
  answer: string,
  expected: readonly string[],
  normalisation: AnswerNormalisation = 'squad',
): number {
  const given = answerTokens(answer, normalisation).join(' ')
  return expected.some((text) => answerTokens(text, normalisation).join(' ') === given) ? 1 : 0
}

/**
 * The best F1 of the answer's words against one of the expected answers, from 0 to 1. Words count as often as they
 * occur. Where either has no words left, 1 if neither has and else 0 (SQuAD 2.0's script). 0 where none is expected.
 */
export function answerF1(
  answer: string,
  expected: readonly string[],
  normalisation: AnswerNormalisation = 'squad',
): number {
  const given = answerTokens(answer, normalisation)
  return Math.max(0, ...expected.map((text) => tokenF1(given, answerTokens(text, normalisation))))
}

function tokenF1(given: readonly string[], expected: readonly string[]): number {
  if (given.length === 0 || expected.length === 0) return given.length === expected.length ? 1 : 0
  const left = new Map<string, number>()
  for (const token of expected) left.set(token, (left.get(token) ?? 0) + 1)
  let common = 0
  for (const token of given) {
    const count = left.get(token) ?? 0
    if (count === 0) continue
    left.set(token, count - 1)
    common++
  }
  // 2PR / (P + R) with P = common / given and R = common / expected.
  return (2 * common) / (given.length + expected.length)
}
