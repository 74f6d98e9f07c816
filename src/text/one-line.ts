/** A text on one line of a prompt, so that no text can pretend to be another part of it. */
import { cut } from './cut.ts'

/** Line breaks and other runs of white space become blanks. What is longer than the limit is cut after that. */
export const oneLine = (text: string, maxCharacters = Number.POSITIVE_INFINITY): string =>
  // Of a text that is far too long, only the beginning is worth the work.
  cut(
    cut(text, 4 * maxCharacters)
      .replace(/\s+/g, ' ')
      .trim(),
    maxCharacters,
  )
