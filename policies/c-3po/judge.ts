/** The prompt that judges an answer (C-3PO, D.2), in Querent's words: does it mean the same as an accepted one? */
import { QuerentError } from '../../src/errors.ts'
import type { Prompt } from '../../src/prompt.ts'
import { oneLine } from '../../src/text/one-line.ts'
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
  render: ({ question, answers, given }) => [
    {
      role: 'system',
      content: [
        'You judge whether an answer to a question is right. You are given the accepted answers.',
        '',
        '- It is right if it means the same as one of the accepted answers, in whatever words and format.',
        '- Numbers and dates may be written otherwise, and rounded within reason.',
        '- It is wrong if it says something else, leaves out what was asked for, or does not decide.',
        '- Answer with one word and nothing else: True or False',
      ].join('\n'),
    },
    {
      role: 'user',
      content: `Question:\n${oneLine(question)}\n\nAccepted answers:\n${answers.map(line).join('\n')}\n\nAnswer to judge:\n${line(given)}`,
    },
  ],
  parse(said) {
    if (!/^[\s*"']*(?:true|false)\b/i.test(said))
      throw new QuerentError('bad-completion', 'It is neither True nor False')
    return judgeReward(said)
  },
}

const line = (text: string): string => `- ${oneLine(text)}`
