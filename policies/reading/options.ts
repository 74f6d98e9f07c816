/** The options that the policies of the papers share. */
import { z } from 'zod'
import { milliseconds } from '../../src/config.ts'

/** What each policy of a paper takes beside its own options. */
export interface AnsweringOptions {
  /**
   * Whether the answer is in sentences with marks such as `[1]`, the place in `citations`; `mao` has no marks where it split the question.
   * Default: false, a few words.
   */
  readonly longAnswer?: boolean | undefined
  /**
   * Whether models must write their grammar and nothing else, as in training: no thoughts in front, no repairs, no numbers of missing
   * documents, no "unknown". Default: false.
   */
  readonly strict?: boolean | undefined
  /** Milliseconds for the whole search. Default: 20,000 of `mmoa`, 60,000 of `c3po` and `mao`, 90,000 of `sparkle`. */
  readonly timeout?: number | undefined
  /** Milliseconds for each prompt. Default: 10,000. */
  readonly askTimeout?: number | undefined
}

/** Their schema, by the default of `timeout`. */
export const answeringShape = (timeout: number) => ({
  longAnswer: z.boolean().default(false),
  strict: z.boolean().default(false),
  timeout: milliseconds.default(timeout),
  askTimeout: milliseconds.default(10_000),
})

/** Takes a prompt's input and gives its output. If it throws or rejects, the policy goes on as if the model had failed. */
export type Rule<Input, Output> = (input: Input) => Output | Promise<Output>

/** The option `rules`. The policy knows the names of its prompts. */
export const rulesOf = <Rules extends object>(): z.ZodType<Rules> =>
  z.custom<Rules>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      Object.values(value).every((rule) => rule === undefined || typeof rule === 'function'),
    'must be functions by the name of a prompt',
  )
