import { oneLine } from '../../text/one-line.ts'

/** A text on one line for people: its first words if it is longer than `longest` characters. */
export function clip(text: string, longest = 120): string {
  // A book is cut before its white space is normalized.
  const line = oneLine(text.slice(0, 4 * longest))
  if (line.length <= longest) return line
  const space = line.lastIndexOf(' ', longest)
  return `${line.slice(0, space > 0 ? space : longest)} …`
}
