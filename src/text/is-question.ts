/** Classifies a text as a question or a statement. Statements may contain "which" and "is" as well. */
import { auxiliaries, questionWords } from './english.ts'

const words = (list: string): readonly string[] => list.split(' ')

const askingWords = [...questionWords, ...words('whats whos whens wheres whys hows')]
/** These begin statements as well: "when heated, metals expand". */
const conditions = words('when where')
const commands = words('tell give explain describe compare')
/** These are nouns as well: "list of rivers". */
const commandsOrNouns = words('name list find show')
const objects = words('me us the a an all every each some this that two three four five')
const openings = words('and but so then also or ok okay please now hi hello hey well yes no thanks')
/** These may precede a question word: "in which year". */
const prepositions = words('in on at of for from to by with about under after before during since until')

/** Closing punctuation may follow the question mark. This set contains no question mark, so matching takes linear time. */
const questionMark = /[?？؟‽][\s\p{Pe}\p{Pf}"'!！.…]*$/u
/**
 * "What" introduces a question after a preposition, at the beginning of a clause, and before an auxiliary verb. It does not
 * in "that is what happens".
 */
const what = new RegExp(
  `(?:^|[.,;:!]\\s*|\\b(?:${prepositions.join('|')})\\s+)what\\b|\\bwhat\\s+(?:to|${auxiliaries.join('|')})\\b`,
  'iu',
)
/** Number of characters that are read. */
const maxLength = 1000
const wordPattern = /[\p{L}\p{N}]+/gu

/**
 * A text is a question if it ends with a question mark, if its first words ask or command ("and in which year did …"), or if
 * "what" introduces a question in it. The rules are English. Keywords, and questions in other languages without a question
 * mark, count as statements.
 */
export function isQuestion(text: string): boolean {
  if (questionMark.test(text)) return true
  const head = text.slice(0, maxLength)
  if (what.test(head)) return true
  const written: readonly string[] = head.match(wordPattern) ?? []
  const lower = written.map((word) => word.toLowerCase())
  const start = lower.findIndex((word) => !openings.includes(word))
  if (start < 0 || isName(written, start)) return false
  const [first, next = ''] = lower.slice(start)
  if (conditions.includes(first!)) return auxiliaries.includes(next)
  if (commandsOrNouns.includes(first!)) return objects.includes(next)
  return (
    askingWords.includes(first!) ||
    auxiliaries.includes(first!) ||
    commands.includes(first!) ||
    (prepositions.includes(first!) && askingWords.includes(next))
  )
}

/** Abbreviations such as WHO, and names such as Will Smith and Can Tho, are not question words. */
function isName(written: readonly string[], start: number): boolean {
  const [first, next = ''] = written.slice(start)
  if (/^\p{Lu}{2,}$/u.test(first!)) return written.some((word) => word !== word.toUpperCase())
  return (first === 'Will' || first === 'Can') && /^\p{Lu}/u.test(next)
}
