/** A text on one line of a prompt, so that no text can pretend to be another part of it. */
import { cut } from './cut.ts'
import { brokenUp } from './special-tokens.ts'

/** What turns the direction of a text, so that people see another one than models; and halves of characters. */
const invisible = /[\p{Bidi_Control}\p{Surrogate}]/gu

/**
 * Runs of white space and control characters become blanks, and special tokens are broken up. What is longer than the limit is cut
 * after that.
 */
export const oneLine = (text: string, maxCharacters = Number.POSITIVE_INFINITY): string => {
  // Of a text that is far too long, only the beginning is worth the work.
  const line = cut(text, 4 * maxCharacters).replace(invisible, '')
  return cut(brokenUp(line.replace(/[\s\p{Cc}]+/gu, ' ').trim()), maxCharacters)
}
