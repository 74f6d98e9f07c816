/** The documents that a completion chooses, by their numbers. */
import { explains, linesOf } from './lines.ts'

/** Names of documents, with or without a blank, or one name for several numbers: "Documents 0, 2 and 3". */
const names = /\b(?:documents?|docs?)[\s_#]{0,2}\d+(?:(?:,\s?|,?\s(?:and|&)\s)\d+)*/gi
const words = /\b(?:documents?|docs?)(?=[\s_#\d]|$)|\b(?:and|are|is|the|relevant|only|action|none)\b/gi
const none = /^[^\p{L}\p{N}[]*(?:\[\s*\]|(?:none|no|nothing|null|n\/a)\b(?!.*\bdocument\s?\d))/iu
const denied = /\b(?:not|n['’]t|irrelevant|unrelated|neither|nothing|others?)\b/i

/**
 * The numbers, each once, in their order. Lines that hold nothing but names or numbers are the choice, wherever there are such; else the
 * documents are that the text names, but for those of which it says that they do not help. Empty if it says that none helps, `undefined`
 * if it does not choose.
 *
 * @example documentNumbers('The relevant documents are Document0 and Document3.') // [0, 3]
 */
export function documentNumbers(completion: string): number[] | undefined {
  const lines = linesOf(completion).filter((line) => !explains(line))
  const texts = lines.map(({ text }) => text)
  const lists = texts.filter((text) => /\d/.test(text) && !/\p{L}|\d\.\d/u.test(text.replace(words, '')))
  const said = texts
    .flatMap((text) => text.split(/(?<=[.;!])\s|,? (?:but|while|whereas)\s/))
    .filter((clause) => !denied.test(clause))
  const listed = lists.length > 0 ? lists : said.flatMap((clause) => clause.match(names) ?? [])
  const numbers = listed.flatMap((text) => text.match(/\d+/g) ?? []).map(Number)
  if (numbers.length > 0) return [...new Set(numbers)]
  return texts.some((text) => none.test(text)) ? [] : undefined
}
