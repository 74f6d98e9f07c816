/** A model that judges answers. */
import { judgeReward } from '../../../policies/c-3po/rewards.ts'
import { asking, usable } from '../../../policies/reading/agent-prompt.ts'
import { maxTokens } from '../../../policies/reading/question.ts'
import { linesOf } from '../../completion/lines.ts'
import { isQuerentError } from '../../errors.ts'
import type { Judge } from '../../evaluation/answer-metrics.ts'
import { type Prompt, parsed, settingsOf } from '../../prompt.ts'
import { createFlights } from '../../runtime/flights.ts'
import { oneLine } from '../../text/one-line.ts'
import type { ChatModel, Tokens } from '../../types.ts'

export interface Judged {
  readonly question: string
  /** The accepted answers. */
  readonly answers: readonly string[]
  /** The answer to judge. */
  readonly given: string
}

/** Whether an answer means the same as an accepted one (C-3PO, D.2), in Querent's words. Its output is 1 or 0. */
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
    const [reward, ...others] = new Set(verdicts.map(({ text }) => judgeReward(text)))
    return usable(others.length === 0 ? reward : undefined, 'It is neither True nor False')
  },
}

const line = (text: string): string => `- ${oneLine(text)}`

/** How many judgments are remembered; the oldest are forgotten. */
const maxRemembered = 10_000

export interface JudgeModel {
  readonly judge: Judge
  /** How many answers got 0 because the judge said neither True nor False. */
  readonly unjudged: number
  /** The model's name. */
  readonly name: string
  /** How many prompts it answered. */
  readonly asks: number
  /** What these took. */
  readonly tokens: Tokens
}

/** Judges each answer to a question once, for those accepted answers. No answer is wrong. */
export function judgeWith(model: ChatModel): JudgeModel {
  const judged = new Map<string, number>()
  const underWay = createFlights<number>()
  let unjudged = 0
  let asks = 0
  let spent: Tokens = { prompt: 0, completion: 0 }

  async function ask(asked: Judged, signal: AbortSignal): Promise<number> {
    try {
      const options = { ...settingsOf(judgePrompt), signal }
      const { text, tokens } = await model.complete(judgePrompt.render(asked), options)
      asks++
      spent = { prompt: spent.prompt + tokens.prompt, completion: spent.completion + tokens.completion }
      return parsed(judgePrompt, text, asked)
    } catch (thrown) {
      if (!isQuerentError(thrown, 'bad-completion')) throw thrown
      unjudged++
      return 0
    }
  }

  return {
    name: model.name,
    get unjudged() {
      return unjudged
    },
    get asks() {
      return asks
    },
    get tokens() {
      return spent
    },
    async judge(asked, signal) {
      if (asked.given.trim() === '') return 0
      const key = JSON.stringify([asked.question, asked.answers, asked.given])
      const known = judged.get(key)
      if (known !== undefined) return known
      const { value } = await underWay.join(key, (whileWanted) => ask(asked, whileWanted), {
        signal,
        fresh: false,
      })
      judged.set(key, value)
      if (judged.size > maxRemembered) judged.delete(judged.keys().next().value!)
      return value
    },
  }
}
