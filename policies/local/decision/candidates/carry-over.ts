/** Texts that restore what a turn of a conversation leaves unsaid: the last question with words of earlier turns. */

import type { Lexicon } from '../../../../src/text/lexicon.ts'
import { parseText } from '../../../../src/text/parse-text.ts'
import type { Query, Turn } from '../../../../src/types.ts'
import type { Question } from '../../rerank/question.ts'

/** How many words of the user's turns are carried over, and how many that turns share. */
const maxCarriedWords = 40
const maxWords = 6

/** A longer question needs no words of earlier turns. */
const longestQuestion = 60

/** A stem that is not in the question, with the word as the turn has it. */
interface Word {
  readonly stem: number
  readonly word: number
}

/**
 * Up to two texts; empty without a conversation, or if it adds no words.
 *
 * 1. the question and the user's words of the last three turns;
 * 2. the question and the words that several turns share, the user's or the agent's: the topic of the conversation.
 *
 * The question is repeated three times. In a bag of words, this gives the added words a third of the weight.
 */
export function carryOversOf({ text, history = [] }: Query, question: Question, lexicon: Lexicon): string[] {
  const users = newsOf('user')
  if (users.length === 0 || question.text.words.length > longestQuestion) return []
  const carried = [
    written(users.slice(-3).flat().slice(0, maxCarriedWords)),
    topic([...users, ...newsOf('agent')]),
  ]
  return carried.flatMap((more) => (more === '' ? [] : `${text} ${text} ${text} ${more}`))

  function newsOf(role: Turn['role']): Word[][] {
    return history.filter((turn) => turn.role === role).map((turn) => newsIn(turn.text))
  }

  function newsIn(turn: string): Word[] {
    const { words, stems } = parseText(turn, lexicon)
    const news: Word[] = []
    stems.forEach((stem, place) => {
      if (lexicon.weight(stem) > 0 && question.bitOf(stem) === 0) news.push({ stem, word: words[place]! })
    })
    return news
  }

  /** The words of several turns, those first that weigh the most and that most turns have. */
  function topic(turns: readonly Word[][]): string {
    const tallies = new Map<number, Word & { turns: number }>()
    for (const words of turns) {
      const counted = new Set<number>()
      for (const { stem, word } of words) {
        if (counted.has(stem)) continue
        counted.add(stem)
        tallies.set(stem, { stem, word, ...tallies.get(stem), turns: (tallies.get(stem)?.turns ?? 0) + 1 })
      }
    }
    const valued = [...tallies.values()]
      .filter((tally) => tally.turns > 1)
      .map(({ stem, word, turns: count }) => ({ word, value: count * lexicon.weight(stem) }))
      .sort((a, b) => b.value - a.value)
    return written(valued.slice(0, maxWords))
  }

  function written(words: readonly { readonly word: number }[]): string {
    return words.map(({ word }) => lexicon.text(word)).join(' ')
  }
}
