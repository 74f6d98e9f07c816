/** The options of C-3PO. */
import { z } from 'zod'
import { count } from '../../src/config.ts'
import { type AnsweringOptions, answeringShape } from '../reading/options.ts'
import type { Asked, AskedWithDocuments, QuestionInput } from '../reading/question.ts'
import { type Rule, rulesFor } from '../reading/rules.ts'
import type { Decision, Route } from './parse.ts'
import type { DecideInput, FilterInput } from './prompts.ts'

/** What can stand in place of each prompt. */
export interface C3poRules {
  /** Gives the question of a conversation in words that stand alone. */
  readonly 'reading/standalone'?: Rule<Asked, string>
  readonly 'c3po/router'?: Rule<QuestionInput, Route>
  /** Gives the plan for the Decision Maker. */
  readonly 'c3po/plan'?: Rule<QuestionInput, string>
  readonly 'c3po/decide'?: Rule<DecideInput, Decision>
  /** Gives the numbers of the documents to keep, from 1. */
  readonly 'c3po/filter'?: Rule<FilterInput, readonly number[]>
  /** Gives the answer, or nothing if there is none. */
  readonly 'c3po/answer'?: Rule<AskedWithDocuments, string | undefined>
}

export interface C3poOptions extends AnsweringOptions {
  /** The maximum number of searches of a plan. Default: 4. */
  readonly maxRounds?: number | undefined
  /**
   * Takes one way for every question instead of asking the Reasoning Router: the paper's Table 3. `retrieval` searches the question
   * itself. Default: none, the Router is asked.
   */
  readonly force?: 'no-retrieval' | 'retrieval' | 'planning' | undefined
  /** Functions in place of prompts, by the prompt's name. A prompt with a rule needs no model. Default: none. */
  readonly rules?: C3poRules | undefined
}

export const optionsSchema = z.strictObject({
  ...answeringShape(60_000),
  maxRounds: count.max(20).default(4),
  force: z.enum(['no-retrieval', 'retrieval', 'planning']).optional(),
  rules: rulesFor<C3poRules>([
    'reading/standalone',
    'c3po/router',
    'c3po/plan',
    'c3po/decide',
    'c3po/filter',
    'c3po/answer',
  ]).default({}),
})
