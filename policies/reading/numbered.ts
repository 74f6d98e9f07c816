/** Documents as prompts show them: numbered, one per line, none too long. */
import { cut } from '../../src/text/cut.ts'
import { oneLine } from '../../src/text/one-line.ts'
import type { Document } from '../../src/types.ts'

/** The maximum length of a text, of all texts together, and of a title, in characters. All are Querent's. */
const maxText = 2000
const maxTexts = 24_000
const maxTitle = 200

/**
 * The documents, one per line. Line breaks inside a document become blanks, so no text can pretend to be another document. Long
 * texts end with "…", after a word where words are apart.
 *
 * @param from 0: `Document0 (Title: …): …`, as MMOA-RAG's Selector names them; 1: `Document 1 (Title: …): …`
 */
export function numbered(documents: readonly Document[], from: 0 | 1): string {
  const limit = Math.min(maxText, Math.floor(maxTexts / Math.max(1, documents.length)))
  const lines = documents.map(({ title = '', text }, place) => {
    const name = from === 0 ? `Document${place}` : `Document ${place + from}`
    const shown = shortened(title, maxTitle)
    return `${name}${shown === '' ? '' : ` (Title: ${shown})`}: ${shortened(text, limit)}`
  })
  return lines.join('\n')
}

/** The documents so far as a part of a user message, numbered from 1. */
export const documentsSoFar = (documents: readonly Document[]): string =>
  `Documents:\n${documents.length === 0 ? 'none yet' : numbered(documents, 1)}`

/** How much of what fits may be left out to end after a word. Chinese, Japanese and Thai have long runs without a blank. */
const mostLeftOut = 0.2

/** The text on one line, cut after the last whole word that fits. */
function shortened(text: string, limit: number): string {
  const line = oneLine(text.slice(0, 4 * limit))
  if (line.length <= limit) return line
  const end = line.lastIndexOf(' ', limit)
  return `${end < (1 - mostLeftOut) * limit ? cut(line, limit) : line.slice(0, end)}…`
}
