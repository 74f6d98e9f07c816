/**
 * Identifiers in files whose columns are parted by white space: percent-encoded where they hold white space or `%`, as a
 * URL would be, and otherwise as they are.
 */
import { QuerentError } from '../errors.ts'

// White space and controls of any kind: tools differ in what they split at (Python also splits at U+001C to U+001F).
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const unsafe = /[%\s\u0000-\u001f\u007f-\u009f]/g

/**
 * An identifier as it stands in a file.
 *
 * @throws QuerentError `bad-document` for an empty one, or one with half a surrogate pair, which no file can hold
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

/** The identifier that a file holds. One that is no valid encoding ("100%") was written by another tool: kept as it is. */
export function decodeId(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
