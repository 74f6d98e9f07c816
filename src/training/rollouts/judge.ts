/** A model that judges answers. */
import { type Judged, judgePrompt } from '../../../policies/c-3po/judge.ts'
import { isQuerentError } from '../../errors.ts'
import type { Judge } from '../../evaluation/answer-metrics.ts'
import { parsed, settingsOf } from '../../prompt.ts'
import { createFlights } from '../../runtime/flights.ts'
import type { ChatModel, Tokens } from '../../types.ts'

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
