/**
 * Measures how well an answer matches the expected answers: exact match and token F1, as in SQuAD (Rajpurkar et al., EMNLP
 * 2016).
 */

/**
 * The normalization of punctuation. `squad` deletes it ("non-ferrous" → "nonferrous"), like SQuAD's script. `space` replaces
 * it with a space ("non ferrous"), like the rewards of MMOA-RAG and MAO-ARAG.
 */
export type AnswerNormalization = 'squad' | 'space'

// Python's `string.punctuation`: SQuAD's script keeps all other characters.
const punctuation = /[!-/:-@[-`{-~]/g
// Python's `\b` supports the letters and digits of every script, JavaScript's only those of ASCII.
const articles = /(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu

/** The words of an answer: lower case, without punctuation and without the articles a, an and the. */
export function answerTokens(text: string, normalization: AnswerNormalization = 'squad'): string[] {
  return text
    .toLowerCase()
    .replace(punctuation, normalization === 'squad' ? '' : ' ')
    .replace(articles, ' ')
    .split(/\s+/)
    .filter((token) => token !== '')
}

/** 1 if the normalized answer equals one of the expected answers, else 0. 0 if there are no expected answers. */
export function exactMatch(
  answer: string,
  expected: readonly string[],
  normalization: AnswerNormalization = 'squad',
): number {
  const actual = answerTokens(answer, normalization).join(' ')
  return expected.some((text) => answerTokens(text, normalization).join(' ') === actual) ? 1 : 0
}

/**
 * The highest token F1 of the answer against any expected answer, from 0 to 1. Repeated words count as often as they occur.
 * If both answers are empty after normalization, F1 is 1; if only one is, F1 is 0 (SQuAD 2.0's script). 0 if there are no
 * expected answers.
 */
export function answerF1(
  answer: string,
  expected: readonly string[],
  normalization: AnswerNormalization = 'squad',
): number {
  const actual = answerTokens(answer, normalization)
  return Math.max(0, ...expected.map((text) => tokenF1(actual, answerTokens(text, normalization))))
}

function tokenF1(actual: readonly string[], expected: readonly string[]): number {
  if (actual.length === 0 || expected.length === 0) return actual.length === expected.length ? 1 : 0
  const unmatched = new Map<string, number>()
  for (const token of expected) unmatched.set(token, (unmatched.get(token) ?? 0) + 1)
  let common = 0
  for (const token of actual) {
    const count = unmatched.get(token) ?? 0
    if (count === 0) continue
    unmatched.set(token, count - 1)
    common++
  }
  // 2PR / (P + R) with P = common / actual and R = common / expected.
  return (2 * common) / (actual.length + expected.length)
}
