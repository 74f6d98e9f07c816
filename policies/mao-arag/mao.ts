/**
 * MAO-ARAG ("MAO-ARAG: multi-agent orchestration for adaptive retrieval-augmented generation"), section 3.1. A planner writes the
 * workflow of a question: which of seven executors run, in which order. A question that is split has a workflow for each sub-question.
 * Querent's: sub-questions in turn end with one that has no answer, and documents are ranked over all sub-questions.
 *
 * @module querent/policies/mao
 */
import { z } from 'zod'
import { refersElsewhere } from '../../src/completion/refers.ts'
import { parseConfig } from '../../src/config.ts'
import { inTurns } from '../../src/in-turns.ts'
import type { Policy } from '../../src/policy.ts'
import type { Document } from '../../src/types.ts'
import { answerPrompt } from '../reading/answer-prompt.ts'
import { answeringPolicy } from '../reading/answering-policy.ts'
import { type AnsweringOptions, answeringShape, type Rule, rulesOf } from '../reading/options.ts'
import type { Asked, AskedWithDocuments, QuestionInput } from '../reading/question.ts'
import { standalone, standalonePrompt } from '../reading/standalone.ts'
import { type Executor, maxSubQuestions, parseWorkflow } from './parse.ts'
import {
  decomposePrompt,
  type PlanInput,
  planPrompt,
  rewritePrompt,
  type Solved,
  type SolvedInput,
  selectPrompt,
  summarizePrompt,
} from './prompts.ts'

export type { AnsweringOptions } from '../reading/options.ts'

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

const optionsSchema = z.strictObject({
  ...answeringShape(60_000),
  workflow: workflow.optional(),
  rules: rulesOf<MaoRules>().optional(),
})

/** The workflow where there is none. */
const usual: readonly Executor[] = ['RA', 'AG']

/** How many documents a search brings. As in the authors' code. */
const found = 5

/** A question, or a sub-question, and its workflow, which ends with AG. */
interface Planned extends QuestionInput {
  readonly workflow: readonly Executor[]
}

/** What a question came to. */
interface Solution {
  /** The documents that the answer was read from, or would have been, the best first. */
  readonly documents: readonly Document[]
  readonly answer: string | undefined
}

/** @throws QuerentError `bad-config` naming the wrong option */
export function mao(options: MaoOptions = {}): Policy {
  const settings = parseConfig(optionsSchema, options, 'mao')
  const { workflow: fixed, longAnswer, rules, strict, timeout, askTimeout } = settings
  const planner = planPrompt(strict)
  const serial = decomposePrompt('serial')
  const parallel = decomposePrompt('parallel')
  const answerFrom = { ...answerPrompt('mao/answer', { long: longAnswer, strict }), temperature: 0 }
  const ofPart = answerPrompt('mao/answer', { long: false, isPart: true })
  const answerPart: typeof answerFrom = { ...ofPart, temperature: 0, final: false }
  const summarize = summarizePrompt({ long: longAnswer, strict })
  const may = (executor: Executor): boolean => fixed === undefined || fixed.includes(executor)
  const prompts = [
    standalonePrompt,
    ...(fixed === undefined ? [planner] : []),
    ...(may('QDS') ? [serial] : []),
    ...(may('QDP') ? [parallel] : []),
    ...(may('QR') || may('QDS') ? [rewritePrompt] : []),
    ...(may('DS') ? [selectPrompt] : []),
    answerFrom,
    ...(may('QDS') || may('QDP') ? [summarize] : []),
  ]
  return answeringPolicy({
    name: 'mao',
    budget: {
      rounds: maxSubQuestions,
      subQueries: maxSubQuestions,
      // A question that stands alone, its workflow, its sub-questions and its answer; for each sub-question a workflow, a query, a
      // choice and an answer; for all but the first, the sub-question with the answers before it.
      asks: 4 + 4 * maxSubQuestions + (maxSubQuestions - 1),
      timeout,
      askTimeout,
    },
    prompts,
    agents: fixed === undefined ? [planner] : [],
    rules,
    async answer(query, tools, read) {
      const question = await standalone(query, tools)
      const steps: Solution[] = []
      /** Whether a document selector chose any documents. */
      let isSelected = false

      async function workflowOf(input: PlanInput): Promise<readonly Executor[] | undefined> {
        if (fixed !== undefined) return input.turn === 'question' ? fixed : usual
        return tools.ask(planner, input).catch(() => undefined)
      }

      async function plannedPart(part: string): Promise<Planned> {
        const workflow = await workflowOf({ question: part, turn: 'sub-question' })
        return { question: part, workflow: workflow ?? usual }
      }

      /** A query, or a sub-question with what its answer needs of those before it; the text as it is if the rewriter fails. */
      const rewritten = (text: string, solved: readonly Solved[]): Promise<string> =>
        tools.ask(rewritePrompt, { question: text, solved }).catch(() => text)

      async function selected(text: string, documents: readonly Document[]): Promise<readonly Document[]> {
        const places = await tools
          .ask(selectPrompt, { question: text, history: [], documents })
          .catch(() => [])
        if (places.length === 0) return documents
        isSelected = true
        return places.map((place) => documents[place]!)
      }

      /**
       * Runs the workflows at the same time, with one search for all.
       *
       * @param prompt the one that answers; without one, documents are found but nothing is answered
       * @throws the error of the search, if nothing has been found yet
       */
      async function solve(
        planned: readonly Planned[],
        prompt: typeof answerPart | undefined,
        reason: string,
      ): Promise<readonly Solution[]> {
        const has = (place: number, executor: Executor) => planned[place]!.workflow.includes(executor)
        const texts = await Promise.all(
          planned.map(({ question: text }, place) => (has(place, 'QR') ? rewritten(text, []) : text)),
        )
        const searched = texts.filter((_, place) => has(place, 'RA'))
        const each = searched.map(() => found)
        const lists = [...(await read.search(searched, each, reason))]
        const listOf = texts.map((_, place) => (has(place, 'RA') ? lists.shift()! : []))
        const chosen = await Promise.all(
          listOf.map((list, place) =>
            has(place, 'DS') && list.length > 0 ? selected(planned[place]!.question, list) : list,
          ),
        )
        const solutions = await Promise.all(
          chosen.map(async (documents, place) => {
            const input = { question: planned[place]!.question, history: [], documents }
            return { documents, answer: prompt && (await tools.ask(prompt, input).catch(() => undefined)) }
          }),
        )
        steps.push(...solutions)
        return solutions
      }

      async function solvedAtOnce(parts: readonly string[]): Promise<readonly Solved[]> {
        const planned = await Promise.all(parts.map(plannedPart))
        const reason = `${parts.length} sub-questions at the same time`
        const solutions = await solve(planned, tools.answers ? answerPart : undefined, reason)
        return parts.map((part, place) => solvedOf(part, solutions[place]!))
      }

      async function solvedInTurn(parts: readonly string[]): Promise<readonly Solved[]> {
        const solved: Solved[] = []
        for (const [place, part] of parts.entries()) {
          const complete = place === 0 ? part : await rewritten(part, solved)
          if (refersElsewhere(complete, query.text)) break
          const planned = await plannedPart(complete)
          // The last answer is for the summary alone.
          const isNeeded = tools.answers || place < parts.length - 1
          const reason = `sub-question ${place + 1} of ${parts.length}`
          const [solution] = await solve([planned], isNeeded ? answerPart : undefined, reason)
          solved.push(solvedOf(complete, solution!))
          // Those after it need its answer.
          if (solution!.answer === undefined) break
        }
        return solved
      }

      async function answerOfOne(workflow: readonly Executor[], reason: string): Promise<string | undefined> {
        const [solution] = await solve(
          [{ question, workflow }],
          tools.answers ? answerFrom : undefined,
          reason,
        )
        return solution!.answer
      }

      async function answerOf(workflow: readonly Executor[] | undefined): Promise<string | undefined> {
        if (workflow === undefined) return answerOfOne(usual, 'there is no workflow: searched the question')
        const isSerial = workflow.includes('QDS')
        if (!isSerial && !workflow.includes('QDP')) return answerOfOne(workflow, workflow.join(', '))
        const split = await tools.ask(isSerial ? serial : parallel, { question }).catch(() => [])
        const parts = split.slice(0, maxSubQuestions)
        if (parts.length === 0) return answerOfOne(usual, 'there are no sub-questions: searched the question')
        // What refers to another sub-question has to wait for it.
        const isChain = isSerial || parts.some((part) => refersElsewhere(part, query.text))
        const solved = await (isChain ? solvedInTurn(parts) : solvedAtOnce(parts))
        if (solved.length === 0)
          return answerOfOne(usual, 'no sub-question stands alone: searched the question')
        const isAnswered = tools.answers && steps.some((step) => step.answer !== undefined)
        if (isAnswered) return tools.ask(summarize, { question, solved }).catch(() => undefined)
        // The budget ended before the first step was answered: the question itself may still be.
        return tools.left().asks === 1
          ? answerOfOne(usual, 'one prompt is left: searched the question')
          : undefined
      }

      const workflow = await workflowOf({ question, turn: 'question' })
      const answer = await answerOf(workflow)
      if (read.legs.length === 0) tools.decide('as-is', 'the model answers without documents')
      const used = steps.filter((step) => step.answer !== undefined)
      const evidence = inTurns((answer === undefined ? steps : used).map(({ documents }) => documents))
      const strategy = workflow?.join(', ') ?? 'no workflow'
      return { question, evidence, isChosen: isSelected || used.length > 0, answer, strategy }
    },
  })
}

const solvedOf = (question: string, { answer = 'unknown' }: Solution): Solved => ({ question, answer })
