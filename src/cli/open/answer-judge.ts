/** The judge of answers that settings name, for `evaluate` and `compare`. What it costs is counted apart from the searches. */
import { toError } from '../../errors.ts'
import type { Judge } from '../../evaluation/answer-metrics.ts'
import { costOf } from '../../prices.ts'
import { judgeWith } from '../../training/rollouts/judge.ts'
import type { Tokens } from '../../types.ts'
import type { Terminal } from '../output/terminal.ts'
import { count } from '../output/words.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { type ChatSettings, otherChatModel } from './chat-model.ts'

/** What judging took, and what it could not do. */
interface Judging {
  readonly model: string
  readonly asks: number
  readonly tokens: Tokens
  /** Dollars, if the model has a price. */
  readonly usd?: number
  /** Number of answers to which the judge said neither True nor False. They count as 0. */
  readonly unjudged: number
  /** Number of answers about which the judge could not be asked. They count as 0. */
  readonly failed: number
}

export interface AnswerJudge {
  /** Judges an answer. One that cannot be judged is 0, and counted. */
  readonly judge: Judge
  readonly model: string
  judging(): Judging
  /** The same for people. */
  describe(): string[]
}

/** @returns `undefined` if the settings name no judge */
export async function answerJudgeOf(
  settings: ChatSettings & Pick<SettingsOf<'evaluate'>, 'judgeUrl' | 'judgeModel' | 'prices'>,
  terminal: Terminal,
): Promise<AnswerJudge | undefined> {
  const { judgeUrl: url, judgeModel: name, prices } = settings
  // The temperature is that of the searches. A judge has its own, so that runs can be compared.
  const own = { ...settings, temperature: undefined, topP: undefined }
  const model = await otherChatModel('The judge', own, { url, name }, terminal)
  if (model === undefined) return undefined
  const asked = judgeWith(model)
  const failures: Error[] = []

  function judging(): Judging {
    const { asks, tokens, unjudged } = asked
    const usd = costOf(tokens, prices?.[model!.name])
    const failed = failures.length
    return { model: model!.name, asks, tokens, ...(usd !== undefined && { usd }), unjudged, failed }
  }

  return {
    model: model.name,
    async judge(answer, signal) {
      try {
        return await asked.judge(answer, signal)
      } catch (thrown) {
        if (signal.aborted) throw thrown
        failures.push(toError(thrown))
        return 0
      }
    },
    judging,
    describe() {
      const { asks, tokens, usd, unjudged, failed } = judging()
      const dollars = usd === undefined ? '' : `, $${usd.toPrecision(3)}`
      return [
        `The judge ${model.name}, beside the searches: ${count(asks, 'prompt')}, tokens prompt ${tokens.prompt}, completion ${tokens.completion}${dollars}.`,
        ...(unjudged > 0
          ? [`The judge said neither True nor False to ${count(unjudged, 'answer')}: they count as wrong.`]
          : []),
        ...(failed > 0
          ? [
              `WARNING: ${count(failed, 'answer was', 'answers were')} not judged and count as wrong. The first error: ${failures[0]!.message}`,
            ]
          : []),
      ]
    },
  }
}
