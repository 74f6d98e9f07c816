import type { Lexicon } from '../../src/text/lexicon.ts'
import type { Question } from './rerank/question.ts'

/** The words of the question that have one of these stems, each stem once, in the question's order. */
export function wordsOf(question: Question, bits: number, lexicon: Lexicon): string {
  const words: string[] = []
  let left = bits
  question.text.words.forEach((word, place) => {
    const bit = question.bitOf(question.text.stems[place]!)
    if ((left & bit) === 0) return
    left &= ~bit
    words.push(lexicon.text(word))
  })
  return words.join(' ')
}
