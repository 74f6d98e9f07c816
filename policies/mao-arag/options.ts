/** The options of MAO-ARAG. */
import { z } from 'zod'
import { type AnsweringOptions, answeringShape } from '../reading/options.ts'
import type { Asked, AskedWithDocuments, QuestionInput } from '../reading/question.ts'
import { type Rule, rulesFor } from '../reading/rules.ts'
import { type Executor, parseWorkflow } from './parse.ts'
import type { PlanInput, SolvedInput } from './prompts.ts'

/** What can stand in place of each prompt. */
export interface MaoRules {
  /** Gives the question of a conversation in words that stand alone. */
  readonly 'reading/standalone'?: Rule<Asked, string>
  readonly 'mao/plan'?: Rule<PlanInput, readonly Executor[]>
  /** Gives the sub-questions, at most four. */
  readonly 'mao/decompose-serial'?: Rule<QuestionInput, readonly string[]>
  /** Gives the sub-questions, at most four. */
  readonly 'mao/decompose-parallel'?: Rule<QuestionInput, readonly string[]>
  /** Gives a query, or, where something has been solved, the sub-question with its answers. */
  readonly 'mao/rewrite'?: Rule<SolvedInput, string>
  /** Gives the places of the chosen documents, from 0. */
  readonly 'mao/select'?: Rule<AskedWithDocuments, readonly number[]>
  /** Gives the answer of a question or of a sub-question, or nothing if there is none. */
  readonly 'mao/answer'?: Rule<AskedWithDocuments, string | undefined>
  /** Gives the answer from those of the sub-questions, or nothing if there is none. */
  readonly 'mao/summarize'?: Rule<SolvedInput, string | undefined>
}

export interface MaoOptions extends AnsweringOptions {
  /**
   * One workflow for every question, such as `RA, DS, AG`, in place of the planner. The sub-questions of `QDS` and `QDP` then have
   * `RA, AG`. Default: none, the planner is asked.
   */
  readonly workflow?: string | undefined
  /** Functions in place of prompts, by the prompt's name. A prompt with a rule needs no model. Default: none. */
  readonly rules?: MaoRules | undefined
}

const workflow = z.string().transform((text, context) => {
  const executors = parseWorkflow(text, 'question')
  if (executors === undefined)
    context.addIssue({ code: 'custom', message: 'must be a workflow: QDS, QDP, or [QR,] [RA, [DS,]] AG' })
  return executors ?? z.NEVER
})

export const optionsSchema = z.strictObject({
  ...answeringShape(60_000),
  workflow: workflow.optional(),
  rules: rulesFor<MaoRules>([
    'reading/standalone',
    'mao/plan',
    'mao/decompose-serial',
    'mao/decompose-parallel',
    'mao/rewrite',
    'mao/select',
    'mao/answer',
    'mao/summarize',
  ]).default({}),
})
