/**
 * C-3PO ("C-3PO: compact plug-and-play proxy optimization to achieve human-like retrieval-augmented generation", ICML 2025), section
 * 3. Between a search engine and a language model, three small agents decide: the Reasoning Router whether to search at all, to search
 * once or to plan; the Decision Maker what to search next; the Information Filter which documents to keep.
 *
 * Querent's: the first step of a plan is searched without a decision, and after as many searches that kept something as the plan has
 * steps, the answer comes first: a decision only if there is none. The question itself is searched beside the first query.
 *
 * @module querent/policies/c3po
 */
import { z } from 'zod'
import { isUnknown } from '../../src/completion/is-unknown.ts'
import { refersElsewhere } from '../../src/completion/refers.ts'
import { count, parseConfig } from '../../src/config.ts'
import { searchKey } from '../../src/dedupe.ts'
import { inTurns } from '../../src/in-turns.ts'
import type { Policy } from '../../src/policy.ts'
import type { Document } from '../../src/types.ts'
import { answeringPolicy } from '../reading/answering-policy.ts'
import { type AnsweringOptions, answeringShape, type Rule, rulesOf } from '../reading/options.ts'
import type { Asked, AskedWithDocuments, QuestionInput } from '../reading/question.ts'
import { standalone, standalonePrompt } from '../reading/standalone.ts'
import { accumulate, type Decision, isFound, type Route, stepsOf } from './parse.ts'
import {
  answerPromptOf,
  type DecideInput,
  decidePrompt,
  type FilterInput,
  filterPrompt,
  planPrompt,
  routerPrompt,
} from './prompts.ts'

export type { AnsweringOptions } from '../reading/options.ts'

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

const optionsSchema = z.strictObject({
  ...answeringShape(60_000),
  maxRounds: count.max(20).default(4),
  force: z.enum(['no-retrieval', 'retrieval', 'planning']).optional(),
  rules: rulesOf<C3poRules>().optional(),
})

/** How many documents of a search the Information Filter sees, and those that are kept if it fails. As in the authors' code. */
const seen = 10
const keptWithoutFilter = [1, 2, 3]

/** How many it sees of the question beside the first search. Querent's. */
const seenBeside = 5

/** A plan is over when more documents than this are kept. As in the authors' code. */
const enough = 10

/** A text with so many characters either says that there is no answer, or is one. */
const sureLength = 80

/** @throws QuerentError `bad-config` naming the wrong option */
export function c3po(options: C3poOptions = {}): Policy {
  const settings = parseConfig(optionsSchema, options, 'c3po')
  const { maxRounds, force, longAnswer, rules, strict, timeout, askTimeout } = settings
  const router = routerPrompt(strict)
  const decide = decidePrompt(strict)
  const filter = filterPrompt(strict)
  const answerFrom = answerPromptOf({ long: longAnswer, strict })
  // It may turn out to say that the documents do not tell.
  const early = {
    ...answerFrom,
    answered: (text: string) => (text.length < sureLength || isUnknown(text) ? '' : text),
  }
  const mayPlan = force === undefined || force === 'planning'
  const agents = [
    ...(force === undefined ? [router] : []),
    ...(mayPlan ? [decide] : []),
    ...(force === 'no-retrieval' ? [] : [filter]),
  ]
  return answeringPolicy({
    name: 'c3po',
    // One question that stands alone, one route, one plan, one answer, and two prompts in each round. The question is a text, too.
    budget: { rounds: maxRounds, subQueries: maxRounds + 1, asks: 4 + 2 * maxRounds, timeout, askTimeout },
    prompts: [...agents, standalonePrompt, ...(mayPlan ? [planPrompt] : []), answerFrom],
    agents,
    rules,
    async answer(query, tools, read) {
      const question = await standalone(query, tools)
      let documents: readonly Document[] = []
      let isChosen = false

      /** Searches, and keeps what the Information Filter chooses. Returns whether it chose any. */
      async function keep(text: string, reason: string, objective?: string): Promise<boolean> {
        const isAlone = read.legs.length > 0 || searchKey(text) === searchKey(question)
        const texts = isAlone ? [text] : [text, question]
        const lists = await read.search(texts, [seen, seenBeside], reason)
        const has = new Set(documents.map(({ docid }) => docid))
        const found = inTurns(lists).filter(({ docid }) => !has.has(docid))
        const input = { question, objective, documents: found, kept: documents.filter(isFound) }
        const chosen = found.length === 0 ? [] : await tools.ask(filter, input).catch(() => undefined)
        isChosen ||= found.length > 0 && chosen !== undefined
        const kept = (chosen ?? keptWithoutFilter).flatMap((number) => found[number - 1] ?? [])
        documents = accumulate(documents, text, kept)
        return chosen !== undefined && kept.length > 0
      }

      let answer: string | undefined
      let readFor: readonly Document[] | undefined

      /** Answers from what is kept. The same documents are read once. */
      async function giveAnswer(prompt: typeof answerFrom): Promise<void> {
        if (!tools.answers || readFor === documents) return
        readFor = documents
        const evidence = documents.filter(isFound)
        const shown = evidence.length > 0 ? evidence : documents
        answer = await tools.ask(prompt, { question, history: [], documents: shown }).catch(() => undefined)
      }

      async function followPlan(roadmap: string): Promise<void> {
        const steps = stepsOf(roadmap)
        const [first = ''] = steps
        // Steps that have brought nothing yet.
        let open = first === '' ? Number.POSITIVE_INFINITY : steps.length
        for (let round = 1; round <= maxRounds && documents.length <= enough; round++) {
          const { rounds, subQueries, asks } = tools.left()
          if (Math.min(rounds, subQueries) === 0) return
          if (open === 0 && asks > 1) {
            open = Number.POSITIVE_INFINITY
            await giveAnswer(early)
            if (answer !== undefined) return
          }
          const isClear = round === 1 && first !== '' && !refersElsewhere(first, question)
          const next = isClear
            ? { action: 'retrieval' as const, query: first, thought: first }
            : await tools.ask(decide, { question, roadmap, documents }).catch(() => undefined)
          if (next?.action !== 'retrieval') return
          if (await keep(next.query, `search ${round} of the plan`, next.thought)) open--
        }
      }

      const route =
        force === undefined
          ? await tools.ask(router, { question }).catch(() => undefined)
          : forced(force, question)
      if (route === undefined) await keep(question, 'there is no route: searched the question')
      else if (route.action === 'retrieval') await keep(route.query, 'one search')
      else if (route.action === 'planning') {
        const roadmap = await tools.ask(planPrompt, { question }).catch(() => undefined)
        if (roadmap === undefined) await keep(question, 'there is no plan: searched the question')
        else await followPlan(roadmap)
        if (read.legs.length === 0 && tools.left().asks === 1)
          await keep(question, 'the plan led to no search: searched the question')
      } else tools.decide('as-is', 'the model answers without documents')

      const evidence = documents.filter(isFound)
      if (answer === undefined) await giveAnswer(answerFrom)
      const strategy = route === undefined ? 'no route' : strategies[route.action]
      return { question, evidence, isChosen, answer, strategy }
    },
  })
}

/** What the router writes for each way. */
const strategies = { 'no-retrieval': '[No Retrieval]', retrieval: '[Retrieval]', planning: '[Planning]' }

const forced = (force: Route['action'], question: string): Route =>
  force === 'retrieval' ? { action: force, query: question } : { action: force }
