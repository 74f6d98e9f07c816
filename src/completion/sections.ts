/** Completions of several parts, each behind its label. */
import { linesOf, plainText } from './lines.ts'

/** The texts behind each label, those without one under the label before them. */
export function sectionsOf(
  text: string,
): Readonly<Record<'none' | 'answer' | 'search' | 'document', string>> {
  const sections = { none: '', answer: '', search: '', document: '' }
  let open: keyof typeof sections = 'none'
  // No text has runs of blanks that say something, and patterns are slow on long ones.
  const short = text.replace(/[^\S\n]{2,}/g, ' ').replace(/(?:\n ?){3,}/g, '\n\n')
  for (const line of plainText(short).split('\n')) {
    const [read] = linesOf(line)
    const name = read?.label === 'query' ? 'search' : read?.label
    const isLabeled = name === 'answer' || name === 'search' || name === 'document'
    if (isLabeled) open = name
    sections[open] += `${isLabeled ? read!.text : line}\n`
  }
  return sections
}
