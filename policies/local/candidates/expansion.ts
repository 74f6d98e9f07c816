import type { Question } from '../../../src/rerank/question.ts'
import type { ReadDocument } from '../../../src/text/document.ts'
import type { Lexicon } from '../../../src/text/lexicon.ts'

const documentsRead = 5
const mostWords = 5

/** The query with the heaviest words that two or more of its first documents share. Abstains where there are none. */
export function expansionsOf(
  text: string,
  documents: readonly ReadDocument[],
  question: Question,
  lexicon: Lexicon,
): string[] {
  const counts = new Map<number, { count: number; word: number }>()
  for (const read of documents.slice(0, documentsRead)) {
    const words = new Map<number, number>()
    for (const { stems, words: found } of [read.text, read.title])
      for (const [place, stem] of stems.entries()) words.set(stem, found[place]!)
    for (const stem of read.matter) {
      if (question.bitOf(stem) !== 0) continue
      const known = counts.get(stem)
      counts.set(stem, { count: (known?.count ?? 0) + 1, word: words.get(stem)! })
    }
  }
  const added = [...counts]
    .filter(([, { count }]) => count >= 2)
    .map(([stem, { count, word }]) => ({ word, value: count * lexicon.weight(stem) }))
    .sort((a, b) => b.value - a.value || a.word - b.word)
    .slice(0, mostWords)
    .map(({ word }) => lexicon.text(word))
  return added.length === 0 ? [] : [`${text} ${added.join(' ')}`]
}
