/**
 * Encodes identifiers for files with columns separated by white space. White space and `%` are percent-encoded as in URLs;
 * all other characters stay unchanged.
 */
import { QuerentError } from '../errors.ts'

// All white space and control characters: tools split at different ones (Python also splits at U+001C to U+001F).
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters.
const unsafe = /[%\s\u0000-\u001f\u007f-\u009f]/g

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
      {
        remedy: 'Give every document and query an identifier of one or more Unicode characters.',
      },
    )
  }
  return id.replace(unsafe, encodeURIComponent)
}

/** Decodes an identifier from a file. Invalid encodings ("100%") come from other tools and are returned unchanged. */
export function decodeId(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
