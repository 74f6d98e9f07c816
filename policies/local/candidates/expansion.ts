import type { Lexicon } from '../../../src/text/lexicon.ts'
import type { ParsedDocument } from '../../../src/text/parse-document.ts'
import type { Question } from '../rerank/question.ts'

/** How many of the first documents are used. */
export const expansionDocuments = 5

const leastDocuments = 2
const maxWords = 5

/** The query with the heaviest words that at least two of its first documents share. Empty if they share none. */
export function expansionsOf(
  text: string,
  documents: readonly ParsedDocument[],
  question: Question,
  lexicon: Lexicon,
): string[] {
  const counts = new Map<number, number>()
  for (const { contentStems } of documents)
    for (const stem of contentStems)
      if (question.bitOf(stem) === 0) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  // The sort is stable, so ties keep the order of the documents. Stem numbers would not do: they depend on earlier texts.
  const shared = [...counts]
    .filter(([, count]) => count >= leastDocuments)
    .map(([stem, count]) => ({ stem, value: count * lexicon.weight(stem) }))
    .sort((a, b) => b.value - a.value)
    .slice(0, maxWords)
  return shared.length === 0 ? [] : [`${text} ${shared.map(({ stem }) => wordOf(stem)).join(' ')}`]

  /** The word in the form of the first document that has it. */
  function wordOf(stem: number): string {
    for (const { title, text: body } of documents)
      for (const { stems, words } of [title, body]) {
        const place = stems.indexOf(stem)
        if (place !== -1) return lexicon.text(words[place]!)
      }
    return ''
  }
}
