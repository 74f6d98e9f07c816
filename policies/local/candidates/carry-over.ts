/** Texts that restore what a turn of a conversation leaves unsaid: the last question with words of earlier turns. */

import type { Lexicon } from '../../../src/text/lexicon.ts'
import { parseText } from '../../../src/text/parse-text.ts'
import type { Query, Turn } from '../../../src/types.ts'
import type { Question } from '../rerank/question.ts'

/** How many words are carried over: from the user's turns, from selected turns, from the last answer. */
const maxCarriedWords = 40
const maxWords = 6
const maxAnswerWords = 4

/** A longer question needs no words of earlier turns. */
const longestQuestion = 60

/** A stem that is not in the question, with the word as the turn has it. */
interface Word {
  readonly stem: number
  readonly word: number
}

/**
 * Four texts, each at its own index; undefined if a text has no word to add. Empty without a conversation.
 *
 * 1. the question and the user's words of the last three turns;
 * 2. the question and the heaviest words of the user's last turn, at the same weight as the question;
 * 3. the question and the words that several turns share, the user's or the agent's: the topic of the conversation;
 * 4. the question and the main words of the last answer: what a pronoun may refer to.
 *
 * In all texts but the second, the question is repeated three times. In a bag of words, this gives the added words a third of the
 * weight.
 */
export function carryOversOf(
  { text, history = [] }: Query,
  question: Question,
  lexicon: Lexicon,
): (string | undefined)[] {
  const users = newsOf('user')
  if (users.length === 0 || question.text.words.length > longestQuestion) return []
  const agents = newsOf('agent')
  const often = `${text} ${text} ${text}`
  return [
    joined(often, written(users.slice(-3).flat().slice(0, maxCarriedWords))),
    joined(
      text,
      heaviest(users.slice(-1), maxWords, () => 1),
    ),
    joined(
      often,
      heaviest([...users, ...agents], maxWords, ({ turns }) => (turns > 1 ? turns : 0)),
    ),
    joined(
      often,
      heaviest(agents.slice(-1), maxAnswerWords, ({ times }) => times),
    ),
  ]

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

  /** The words with the highest product of `worth` and weight, without those of worth 0. */
  function heaviest(turns: readonly Word[][], limit: number, worth: (tally: Tally) => number): string {
    const tallies = new Map<number, Tally>()
    turns.forEach((words, turn) => {
      for (const { stem, word } of words) {
        const known = tallies.get(stem)
        if (known === undefined) tallies.set(stem, { stem, word, times: 1, turns: 1, last: turn })
        else {
          known.times++
          if (known.last !== turn) known.turns++
          known.last = turn
        }
      }
    })
    const valued = [...tallies.values()]
      .map((tally) => ({ word: tally.word, value: worth(tally) * lexicon.weight(tally.stem) }))
      .filter(({ value }) => value > 0)
      .sort((a, b) => b.value - a.value)
    return written(valued.slice(0, limit))
  }

  function written(words: readonly { readonly word: number }[]): string {
    return words.map(({ word }) => lexicon.text(word)).join(' ')
  }
}

/** How often a word occurred, and in how many turns. */
interface Tally extends Word {
  times: number
  turns: number
  /** Index of the last turn with the word. */
  last: number
}

const joined = (question: string, more: string): string | undefined =>
  more === '' ? undefined : `${question} ${more}`
