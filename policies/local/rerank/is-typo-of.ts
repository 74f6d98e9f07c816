/**
 * Whether one text is a typo of the other: a Damerau–Levenshtein distance of at most 1 (a letter is missing, added or replaced, or two
 * neighbors are exchanged). Ignores case, spaces and punctuation. Digits are never typos, because another year is another thing.
 * Texts of fewer than six letters and digits must be equal.
 */
export function isTypoOf(one: string, other: string): boolean {
  const [a, b] = [onlyLetters(one), onlyLetters(other)]
  if (a === b) return a !== ''
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a]
  if (shorter.length < minLength || longer.length > shorter.length + 1) return false
  let at = 0
  while (at < shorter.length && shorter[at] === longer[at]) at++
  const rest = (text: string, skipped: number): string => text.slice(at + skipped)
  if (longer.length > shorter.length) return isLetter(longer[at]) && rest(longer, 1) === rest(shorter, 0)
  if (!isLetter(a[at]) || !isLetter(b[at])) return false
  const isExchanged = a[at] === b[at + 1] && a[at + 1] === b[at] && rest(a, 2) === rest(b, 2)
  return isExchanged || rest(a, 1) === rest(b, 1)
}

const minLength = 6

const onlyLetters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

const isLetter = (character: string | undefined): boolean =>
  character !== undefined && /\p{L}/u.test(character)
