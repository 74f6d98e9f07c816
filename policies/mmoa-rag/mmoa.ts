/**
 * MMOA-RAG ("Improving retrieval-augmented generation through multi-agent reinforcement learning"), section 4.1: a Query Rewriter
 * splits the question, a Selector chooses among the documents that the sub-questions find, and a Generator answers from them. Three
 * prompts and one round, whatever the question. Querent's: the documents of the sub-questions take turns, each once.
 *
 * @module querent/policies/mmoa
 */
import { z } from 'zod'
import { refersElsewhere } from '../../src/completion/refers.ts'
import { count, parseConfig } from '../../src/config.ts'
import { withFewNew } from '../../src/dedupe.ts'
import { inTurns } from '../../src/in-turns.ts'
import type { Policy } from '../../src/policy.ts'
import { answerPrompt } from '../reading/answer-prompt.ts'
import { answeringPolicy } from '../reading/answering-policy.ts'
import { type AnsweringOptions, answeringShape, type Rule, rulesOf } from '../reading/options.ts'
import type { Asked, AskedWithDocuments } from '../reading/question.ts'
import { searchedSubQuestions } from './parse.ts'
import { rewritePrompt, selectPrompt } from './prompts.ts'

export type { AnsweringOptions } from '../reading/options.ts'

/** What can stand in place of each prompt. */
export interface MmoaRules {
  /** Gives the sub-questions. */
  readonly 'mmoa/rewrite'?: Rule<Asked, readonly string[]>
  /** Gives the places of the chosen documents, from 0. */
  readonly 'mmoa/select'?: Rule<AskedWithDocuments, readonly number[]>
  /** Gives the answer, or nothing if there is none. */
  readonly 'mmoa/answer'?: Rule<AskedWithDocuments, string | undefined>
}

export interface MmoaOptions extends AnsweringOptions {
  /** Whether the Query Rewriter is asked. `false` searches the question: the paper's S+G. Default: true. */
  readonly rewrite?: boolean | undefined
  /** Whether the Selector is asked. `false` answers from all documents: the paper's QR+G. Default: true. */
  readonly select?: boolean | undefined
  /** K: how many documents all sub-questions find together, from 4 to 50. Default: 10, as in the paper. */
  readonly documents?: number | undefined
  /** Functions in place of prompts, by the prompt's name. A prompt with a rule needs no model. Default: none. */
  readonly rules?: MmoaRules | undefined
}

const optionsSchema = z.strictObject({
  ...answeringShape(20_000),
  rewrite: z.boolean().default(true),
  select: z.boolean().default(true),
  documents: count.min(4).max(50).default(10),
  rules: rulesOf<MmoaRules>().optional(),
})

/** @throws QuerentError `bad-config` naming the wrong option */
export function mmoa(options: MmoaOptions = {}): Policy {
  const settings = parseConfig(optionsSchema, options, 'mmoa')
  const { rewrite, select, documents: wanted, longAnswer, rules, strict, timeout, askTimeout } = settings
  const splitInto = rewritePrompt(strict)
  const choose = selectPrompt(strict)
  const answerFrom = answerPrompt('mmoa/answer', { long: longAnswer, strict })
  const prompts = [...(rewrite ? [splitInto] : []), ...(select ? [choose] : []), answerFrom]
  return answeringPolicy({
    name: 'mmoa',
    budget: { rounds: 1, subQueries: 4, asks: prompts.length, timeout, askTimeout },
    prompts,
    agents: prompts,
    rules,
    async answer({ text: question, history = [], intent }, tools, read) {
      const asked = { question, history, intent }
      const written = rewrite ? await tools.ask(splitInto, asked).catch(() => []) : []
      const named = written.filter((text) => !refersElsewhere(text, question))
      const texts = withFewNew(searchedSubQuestions(named, question), [question], tools.budget.subQueries)
      const each = texts.map(() => wanted)
      const found = inTurns(await read.search(texts, each, reasonOf(written, texts))).slice(0, wanted)
      const strategy = strategyOf(texts.length)
      if (found.length === 0) return { evidence: [], isChosen: false, answer: undefined, strategy }

      const chosen = select
        ? await tools.ask(choose, { ...asked, documents: found }).catch(() => undefined)
        : undefined
      // Where the Selector says that none helps, the answer is looked for in all of them, as if it had not chosen.
      const isChosen = chosen !== undefined && (strict || chosen.length > 0)
      const evidence = isChosen ? chosen.map((place) => found[place]!) : found
      const answer = tools.answers
        ? await tools.ask(answerFrom, { ...asked, documents: evidence }).catch(() => undefined)
        : undefined
      return { evidence, isChosen, answer, strategy }
    },
  })
}

const strategyOf = (texts: number): string => `${texts} sub-${texts === 1 ? 'question' : 'questions'}`

function reasonOf(written: readonly string[], texts: readonly string[]): string {
  if (written.length === 0) return 'no sub-questions: searched the question'
  if (written.length > texts.length)
    return `${written.length} sub-questions: searched ${texts.length} of them or the question`
  return strategyOf(texts.length)
}
