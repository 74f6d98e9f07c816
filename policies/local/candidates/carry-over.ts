/** What a turn of a conversation leaves unsaid: the last question together with words of the turns before it. */

import type { Lexicon } from '../../../src/text/lexicon.ts'
import { parseText } from '../../../src/text/parse-text.ts'
import type { Query, Turn } from '../../../src/types.ts'
import type { Question } from '../rerank/question.ts'

/** Words that are carried over: of the user's turns, of a choice of turns, of the last answer. */
const maxCarriedWords = 40
const maxWords = 6
const maxAnswerWords = 4

/** A question of more words than these says enough by itself. */
const longestQuestion = 60

/** A stem that the question has not, as it was said. */
interface Word {
  readonly stem: number
  readonly word: number
}

/**
 * Four texts, each in its place, and nothing where one has no word to add. Without a conversation, all abstain.
 *
 * 1. the question and what the user said in the three turns before;
 * 2. the question and the heaviest words of the turn before, with the weight of its own;
 * 3. the question and the words that turns share, the user's or the agent's: what the conversation is about;
 * 4. the question and the words that the last answer is about: whom a pronoun may stand for.
 *
 * The question stands three times in all but the second: in plain text, that gives the others a third of the weight.
 */
export function carryOversOf(
  { text, history = [] }: Query,
  question: Question,
  lexicon: Lexicon,
): (string | undefined)[] {
  const users = said('user')
  if (users.length === 0 || question.text.words.length > longestQuestion) return []
  const agents = said('agent')
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

  function said(role: Turn['role']): Word[][] {
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

  /** The words whose weight, multiplied by what `worth` says of them, is highest; none that are worth 0. */
  function heaviest(turns: readonly Word[][], most: number, worth: (tally: Tally) => number): string {
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
    return written(valued.slice(0, most))
  }

  function written(words: readonly { readonly word: number }[]): string {
    return words.map(({ word }) => lexicon.text(word)).join(' ')
  }
}

/** How often a word was said, and in how many turns. */
interface Tally extends Word {
  times: number
  turns: number
  /** The turn that had it last, by its place. */
  last: number
}

const joined = (question: string, more: string): string | undefined =>
  more === '' ? undefined : `${question} ${more}`
