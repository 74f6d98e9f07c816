/** What a turn of a conversation leaves unsaid: the last question together with words of the turns before it. */
import type { Question } from '../../../src/rerank/question.ts'
import type { Lexicon } from '../../../src/text/lexicon.ts'
import { readText } from '../../../src/text/read.ts'
import type { Query } from '../../../src/types.ts'

const mostWords = 6

/**
 * Abstains without a conversation. Up to four texts: the user's turns before, at a third of the weight of the last one (its
 * words stand there three times); the last question with the heaviest words of the question before; with those of the last
 * answer that question and answer share or that are said again and again; with those of the first question.
 */
export function carryOversOf({ text, history = [] }: Query, question: Question, lexicon: Lexicon): string[] {
  const users = history.filter(({ role }) => role === 'user').map((turn) => turn.text)
  if (users.length === 0) return []
  const agents = history.filter(({ role }) => role === 'agent').map((turn) => turn.text)
  const before = users
    .slice(-3)
    .map((turn) => wordsIn(turn))
    .join(' ')
  const texts = [`${text} ${text} ${text} ${before}`]
  texts.push(`${text} ${heaviest([users.at(-1)!])}`)
  const agent = agents.at(-1)
  if (agent !== undefined) texts.push(`${text} ${text} ${heaviest([...users, ...agents], 2)}`)
  if (users.length > 1) texts.push(`${text} ${heaviest([users[0]!])}`)
  return texts

  function wordsIn(turn: string): string {
    const { words, stems } = readText(turn, lexicon)
    return [...words]
      .filter((_, place) => isNew(stems[place]!))
      .map((word) => lexicon.text(word))
      .join(' ')
  }

  function isNew(stem: number): boolean {
    return lexicon.weight(stem) > 0 && question.bitOf(stem) === 0
  }

  /** The words that weigh most, times how many turns have them; at least in `least` turns where any is. */
  function heaviest(turns: readonly string[], least = 1): string {
    const found = new Map<number, { word: string; turns: number }>()
    for (const turn of turns) {
      const { words, stems } = readText(turn, lexicon)
      const seen = new Set<number>()
      stems.forEach((stem, place) => {
        if (!isNew(stem) || seen.has(stem)) return
        seen.add(stem)
        const known = found.get(stem)
        if (known === undefined) found.set(stem, { word: lexicon.text(words[place]!), turns: 1 })
        else known.turns++
      })
    }
    return [...found]
      .filter(([, { turns: count }]) => count >= Math.min(least, turns.length))
      .map(([stem, { word, turns: count }]) => ({ word, value: lexicon.weight(stem) * count }))
      .sort((a, b) => b.value - a.value)
      .slice(0, mostWords)
      .map(({ word }) => word)
      .join(' ')
  }
}
