/** Where the words of a search come from, as people read it. */
import type { Query, SubQuery } from '../types.ts'

/**
 * In a few words: `named in your question`, `your key words`, `found in “Dracula”`, `from the conversation`. `undefined` for words
 * that are in neither the question nor its conversation: a language model wrote them.
 *
 * @param titleOf the title of a document, by its docid
 */
export function searchOrigin(
  { text, from }: SubQuery,
  { text: asked, history = [] }: Pick<Query, 'text' | 'history'>,
  titleOf: (docid: string) => string,
): string | undefined {
  const [searched, question] = [wordsOf(text), wordsOf(asked)]
  if (from !== undefined) {
    const hasMore = searched.some((word) => question.includes(word))
    return `found in “${titleOf(from)}”${hasMore ? ', with your words' : ''}`
  }
  if (searched.join(' ') === question.join(' ')) return 'your words'
  if (` ${question.join(' ')} `.includes(` ${searched.join(' ')} `)) return 'named in your question'
  if (isWithin(searched, question)) return 'your key words'
  const said = [question, ...history.map((turn) => wordsOf(turn.text))].flat()
  return isWithin(searched, said) ? 'from the conversation' : undefined
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

const isWithin = (words: readonly string[], others: readonly string[]): boolean =>
  words.every((word) => others.includes(word))

/** Policies repeat words that should count more: `A? A? A? more` reads `A? (×3) more`. */
export const withoutRepeats = (text: string): string =>
  text.replace(
    /(.{4,}?)((?: \1)+)(?= |$)/g,
    (all, once: string) => `${once} (×${Math.round((all.length + 1) / (once.length + 1))})`,
  )
