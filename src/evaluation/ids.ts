/**
 * Encodes identifiers for files with columns separated by white space. White space and control characters are percent-encoded as in
 * URLs; all other characters stay unchanged, and so do the percent signs of URLs, such as `Caf%C3%A9`. Only what would read as
 * encoded white space gets one more `25`: `a%20b` becomes `a%2520b`. So no two identifiers are written alike, and reading and writing
 * the file of another tool changes none of its identifiers.
 */
import { QuerentError } from '../errors.ts'

// All white space and control characters: tools split at different ones (Python also splits at U+001C to U+001F).
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters.
const unsafe = /[\s\u0000-\u001f\u007f-\u009f]/g

/** An encoded unsafe character, with a `25` for each time that it was encoded again. */
const encoded =
  /%((?:25)*)([01][\dA-F]|20|7F|C2%[89][\dA-F]|C2%A0|E1%9A%80|E2%80%8[\dA]|E2%80%A[89F]|E2%81%9F|E3%80%80|EF%BB%BF)/g

/**
 * Encodes an identifier for a file.
 *
 * @throws QuerentError `bad-document` if it is empty or contains an unpaired surrogate, which cannot be written as UTF-8
 */
export function encodeId(id: string): string {
  if (id === '' || /\p{Surrogate}/u.test(id)) {
    throw new QuerentError(
      'bad-document',
      `The identifier ${JSON.stringify(id)} cannot be written to a file`,
      { remedy: 'Give every document and query an identifier of one or more Unicode characters.' },
    )
  }
  return id.replace(encoded, '%25$1$2').replace(unsafe, encodeURIComponent)
}

/** Decodes an identifier from a file: undoes what `encodeId` does, and changes nothing else. */
export function decodeId(text: string): string {
  if (!text.includes('%')) return text
  return text.replace(encoded, (found: string, again: string, character: string) =>
    again === '' ? decodeURIComponent(found) : `%${again.slice(2)}${character}`,
  )
}
