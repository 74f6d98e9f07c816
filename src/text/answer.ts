/** How well an answer matches the expected ones: exact match and token F1, as in SQuAD (Rajpurkar et al., EMNLP 2016). */

/**
 * How punctuation is normalized. `squad` deletes it ("non-ferrous" → "nonferrous"), as SQuAD's script does. `space`
 * replaces it with a space ("non ferrous"), as the rewards of MMOA-RAG and MAO-ARAG do.
 */
export type AnswerNormalization = 'squad' | 'space'

// Python's `string.punctuation`: SQuAD's script keeps all other signs.
const punctuation = /[!-/:-@[-`{-~]/g
// Python's `\b` knows the letters and digits of every script, JavaScript's only those of ASCII.
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

/** 1 if the normalized answer equals one of the expected answers, else 0. 0 if none is expected. */
export function exactMatch(
  answer: string,
  expected: readonly string[],
  normalization: AnswerNormalization = 'squad',
): number {
  const given = answerTokens(answer, normalization).join(' ')
  return expected.some((text) => answerTokens(text, normalization).join(' ') === given) ? 1 : 0
}

/**
 * The best F1 of the answer's words against one of the expected answers, from 0 to 1. Words count as often as they
 * occur. If either has no words after normalization, 1 if neither has, else 0 (SQuAD 2.0's script). 0 if none is expected.
 */
export function answerF1(
  answer: string,
  expected: readonly string[],
  normalization: AnswerNormalization = 'squad',
): number {
  const given = answerTokens(answer, normalization)
  return Math.max(0, ...expected.map((text) => tokenF1(given, answerTokens(text, normalization))))
}

function tokenF1(given: readonly string[], expected: readonly string[]): number {
  if (given.length === 0 || expected.length === 0) return given.length === expected.length ? 1 : 0
  const unmatched = new Map<string, number>()
  for (const token of expected) unmatched.set(token, (unmatched.get(token) ?? 0) + 1)
  let common = 0
  for (const token of given) {
    const count = unmatched.get(token) ?? 0
    if (count === 0) continue
    unmatched.set(token, count - 1)
    common++
  }
  // 2PR / (P + R) with P = common / given and R = common / expected.
  return (2 * common) / (given.length + expected.length)
}
