/**
 * MAO-ARAG ("MAO-ARAG: multi-agent orchestration for adaptive retrieval-augmented generation"), section 3.1. A planner writes the
 * workflow of a question: which of seven executors run, in which order. A question that is split has a workflow for each sub-question.
 * Querent's: sub-questions in turn end with one that has no answer, and documents are ranked over all sub-questions.
 *
 * @module querent/policies/mao
 */
import { refersElsewhere } from '../../src/completion/refers.ts'
import { parseConfig } from '../../src/config.ts'
import { inTurns } from '../../src/in-turns.ts'
import type { Policy } from '../../src/policy.ts'
import { answerPrompt } from '../reading/answer-prompt.ts'
import { keepingTheLast } from '../reading/last-prompt.ts'
import { outcomeOf } from '../reading/outcome.ts'
import { reading } from '../reading/reading.ts'
import { withoutRules, withRules } from '../reading/rules.ts'
import { standalone, standalonePrompt } from '../reading/standalone.ts'
import { createExecutors, type Planned, type Solution } from './executors.ts'
import { type MaoOptions, optionsSchema } from './options.ts'
import { type Executor, maxSubQuestions } from './parse.ts'
import {
  decomposePrompt,
  type PlanInput,
  planPrompt,
  rewritePrompt,
  type Solved,
  selectPrompt,
  summarizePrompt,
} from './prompts.ts'

export type { AnsweringOptions } from '../reading/options.ts'
export type { MaoOptions, MaoRules } from './options.ts'

/** The workflow where there is none. */
const usual: readonly Executor[] = ['RA', 'AG']

/** @throws QuerentError `bad-config` naming the wrong option */
export function mao(options: MaoOptions = {}): Policy {
  const settings = parseConfig(optionsSchema, options, 'mao')
  const { workflow: fixed, longAnswer, rules, strict, timeout, askTimeout } = settings
  const planner = planPrompt(strict)
  const serial = decomposePrompt('serial')
  const parallel = decomposePrompt('parallel')
  const answerFrom = {
    ...answerPrompt('mao/answer', { long: longAnswer, strict }),
    temperature: 0,
  }
  const answerPart = {
    ...answerPrompt('mao/answer', { long: false, isPart: true }),
    temperature: 0,
    final: false,
  }
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
  return {
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
    reads: true,
    prompts: withoutRules(prompts, rules),
    agents: withoutRules(fixed === undefined ? [planner] : [], rules),
    run: keepingTheLast(async (query, given) => {
      const tools = withRules(given, rules)
      const question = await standalone(query, tools)
      const read = reading(tools, query.text)
      const executors = createExecutors(tools, read)

      async function workflowOf(input: PlanInput): Promise<readonly Executor[] | undefined> {
        if (fixed !== undefined) return input.turn === 'question' ? fixed : usual
        return tools.ask(planner, input).catch(() => undefined)
      }

      async function plannedPart(part: string): Promise<Planned> {
        const workflow = await workflowOf({ question: part, turn: 'sub-question' })
        return { question: part, workflow: workflow ?? usual }
      }

      const steps: Solution[] = []

      async function solvedAtOnce(parts: readonly string[]): Promise<readonly Solved[]> {
        const planned = await Promise.all(parts.map(plannedPart))
        const solutions = await executors.solve(planned, {
          answer: tools.answers ? answerPart : undefined,
          reason: `${parts.length} sub-questions at the same time`,
        })
        steps.push(...solutions)
        return parts.map((part, place) => solvedOf(part, solutions[place]!))
      }

      async function solvedInTurn(parts: readonly string[]): Promise<readonly Solved[]> {
        const solved: Solved[] = []
        for (const [place, part] of parts.entries()) {
          const complete = await executors.complete(part, solved)
          if (refersElsewhere(complete, query.text)) break
          const planned = await plannedPart(complete)
          // The last answer is for the summary alone.
          const isNeeded = tools.answers || place < parts.length - 1
          const [solution] = await executors.solve([planned], {
            answer: isNeeded ? answerPart : undefined,
            reason: `sub-question ${place + 1} of ${parts.length}`,
          })
          steps.push(solution!)
          solved.push(solvedOf(complete, solution!))
          // Those after it need its answer.
          if (solution!.answer === undefined) break
        }
        return solved
      }

      async function answerOfOne(workflow: readonly Executor[], reason: string): Promise<string | undefined> {
        const answer = tools.answers ? answerFrom : undefined
        const [solution] = await executors.solve([{ question, workflow }], { answer, reason })
        steps.push(solution!)
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
      const isChosen = executors.isChosen || used.length > 0
      const strategy = workflow?.join(', ') ?? 'no workflow'
      const rewritten = question === query.text ? undefined : question
      return outcomeOf({ legs: read.legs, evidence, isChosen, answer, strategy, rewritten }, tools)
    }),
  }
}

const solvedOf = (question: string, { answer = 'unknown' }: Solution): Solved => ({ question, answer })
