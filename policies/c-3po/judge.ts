/** The prompt that judges an answer (C-3PO, D.2), in Querent's words: does it mean the same as an accepted one? */
import { linesOf } from '../../src/completion/lines.ts'
import type { Prompt } from '../../src/prompt.ts'
import { oneLine } from '../../src/text/one-line.ts'
import { asking, unusable } from '../reading/agent-prompt.ts'
import { maxTokens } from '../reading/question.ts'
import { judgeReward } from './rewards.ts'

export interface Judged {
  readonly question: string
  /** The accepted answers. */
  readonly answers: readonly string[]
  /** The answer to judge. */
  readonly given: string
}

/** Its output is 1 or 0. */
export const judgePrompt: Prompt<Judged, number> = {
  name: 'judge',
  temperature: 0,
  maxTokens,
  render: ({ question, answers, given }) =>
    asking(
      [
        'You judge whether an answer to a question is right. You are given the accepted answers.',
        '',
        '- It is right if it means the same as one of the accepted answers, in whatever words and format.',
        '- Numbers and dates may be written otherwise, and rounded within reason.',
        '- It is wrong if it says something else, leaves out what was asked for, or does not decide.',
        '- Answer with one word and nothing else: True or False',
      ],
      `Question:\n${oneLine(question)}`,
      `Accepted answers:\n${answers.map(line).join('\n')}`,
      `Answer to judge:\n${line(given)}`,
    ),
  parse(said) {
    const verdicts = linesOf(said).filter(({ text }) => /^(?:true|false)\b/i.test(text))
    const rewards = new Set(verdicts.map(({ text }) => judgeReward(text)))
    if (rewards.size !== 1) throw unusable('It is neither True nor False')
    return [...rewards][0]!
  },
}

const line = (text: string): string => `- ${oneLine(text)}`
