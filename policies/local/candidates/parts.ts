/** One text for each part of a comparison, a coordination or an enumeration. */
import type { Question } from '../../../src/rerank/question.ts'
import { isStopWord, type Lexicon } from '../../../src/text/lexicon.ts'
import { phraseOf } from '../../../src/text/read.ts'
import { namePlaces } from '../second-stage.ts'

const joining = new Set(['and', 'or', 'versus', 'vs', 'than', 'between'])
const mostParts = 3
const leastWords = 2

/**
 * "Which is older, A or B?" is "older A" and "older B": what stands on either side of the joining word, each with the words
 * outside of both. Abstains where a side has no matter of its own.
 */
export function partsOf(question: Question, lexicon: Lexicon): string[] {
  const names = namePlaces(question, lexicon)
  const { words } = question.text
  const lower = [...words].map((word) => lexicon.text(lexicon.lower(word)))
  // Names on both sides of a joining word, or one after another as in an enumeration.
  const joined = names.filter(([start, end], index) => {
    const before = names[index - 1]
    const after = names[index + 1]
    const follows = before !== undefined && isJoin(before[1], start)
    const precedes = after !== undefined && isJoin(end, after[0])
    return follows || precedes
  })
  if (joined.length >= 2) {
    const outside = keep((place) => !joined.some(([start, end]) => place >= start && place < end))
    return joined
      .slice(0, mostParts)
      .map(([start, end]) => `${phraseOf(words, start, end, lexicon)} ${outside}`.trim())
  }
  const at = lower.findIndex(
    (word, place) => place > 0 && (word === 'and' || word === 'or') && !inName(place),
  )
  if (at === -1) return []
  const left = keep((place) => place < at)
  const right = keep((place) => place > at)
  return [left, right].every((side) => side.split(' ').length >= leastWords && side !== '')
    ? [left, right]
    : []

  function isJoin(from: number, to: number): boolean {
    if (to - from > 3) return false
    return lower.slice(from, to).some((word) => joining.has(word))
  }

  function inName(place: number): boolean {
    return names.some(([start, end]) => place >= start && place < end)
  }

  function keep(wanted: (place: number) => boolean): string {
    const kept: string[] = []
    words.forEach((word, place) => {
      if (wanted(place) && !(lexicon.flags(word) & isStopWord) && !joining.has(lower[place]!))
        kept.push(lexicon.text(word))
    })
    return kept.join(' ')
  }
}
