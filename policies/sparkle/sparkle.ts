/**
 * SPARKLE ("SPARKLE: a structured and plug-and-play agentic retrieval policy for adaptive RAG models"), Algorithm 1. A language model
 * thinks step by step. After each thought, three small agents decide whether it needs a search, write the query from a chain of what
 * is known, and choose one fact of what was found. The document of that fact joins the context of the next thought.
 * Querent's: a thought that asks for something needs a search, one that gives the answer needs none; nobody decides about these.
 *
 * @module querent/policies/sparkle
 */
import { z } from 'zod'
import { count, having, parseConfig } from '../../src/config.ts'
import { searchKey } from '../../src/dedupe.ts'
import type { Policy } from '../../src/policy.ts'
import type { Document, Embedder } from '../../src/types.ts'
import { answeringPolicy } from '../reading/answering-policy.ts'
import { type AnsweringOptions, answeringShape, type Rule, rulesOf } from '../reading/options.ts'
import type { Asked } from '../reading/question.ts'
import { standalone, standalonePrompt } from '../reading/standalone.ts'
import { candidatesOf } from './candidates.ts'
import { decisionOf, type Formulated } from './parse.ts'
import {
  decidePrompt,
  type FormulateInput,
  formulatePrompt,
  type IntegrateInput,
  integratePrompt,
  type ThinkInput,
  type Thinking,
  thinkPrompt,
} from './prompts.ts'
import { sentencesAsTriples, type Triple, type TripleStore } from './triples.ts'

export type { AnsweringOptions } from '../reading/options.ts'
export { documentsAsTriples, sentencesAsTriples, type Triple, type TripleStore } from './triples.ts'

/** What can stand in place of each prompt. */
export interface SparkleRules {
  /** Gives the question of a conversation in words that stand alone. */
  readonly 'reading/standalone'?: Rule<Asked, string>
  /** Gives the next thought or the answer. */
  readonly 'sparkle/think'?: Rule<ThinkInput, Thinking>
  /** Gives whether the last thought needs a search. Always `true` is the paper's "w/o RD Agent". */
  readonly 'sparkle/decide'?: Rule<ThinkInput, boolean>
  /** Gives a reasoning chain, which may be empty, and a query. The last thought as the query is the paper's "w/o QF Agent". */
  readonly 'sparkle/formulate'?: Rule<FormulateInput, Formulated>
  /** Gives the chosen candidates, as many as it likes. Their documents join the context. */
  readonly 'sparkle/integrate'?: Rule<IntegrateInput, readonly Triple[]>
}

export interface SparkleOptions extends AnsweringOptions {
  /** Where the facts of documents come from. Default: `sentencesAsTriples()`, the first sentences of each document. */
  readonly triples?: TripleStore | undefined
  /** Compares facts with the query, to show the 20 best, as in the paper. Default: none, BM25 compares them. */
  readonly embedder?: Embedder | undefined
  /** The maximum number of thoughts, from 1 to 30. Then the model must answer. Default: 8. */
  readonly maxSteps?: number | undefined
  /** The maximum number of searches that thoughts lead to, from 1 to 20. Default: 5. */
  readonly maxRounds?: number | undefined
  /** Whether the question is searched before the first thought, which then sees five documents. Default: false, as in the paper. */
  readonly firstRetrieval?: boolean | undefined
  /** Whether thoughts are put as a reasoning chain before the query. `false` is the paper's "w/ Direct QF Agent". Default: true. */
  readonly chain?: boolean | undefined
  /** Functions in place of prompts, by the prompt's name. A prompt with a rule needs no model. Default: none. */
  readonly rules?: SparkleRules | undefined
}

const optionsSchema = z.strictObject({
  ...answeringShape(90_000),
  triples: having<TripleStore>('a store of triples', 'of').default(sentencesAsTriples),
  embedder: having<Embedder>('an embedder', 'embed').optional(),
  maxSteps: count.max(30).default(8),
  maxRounds: count.max(20).default(5),
  firstRetrieval: z.boolean().default(false),
  chain: z.boolean().default(true),
  rules: rulesOf<SparkleRules>().optional(),
})

/** How many documents a search finds, as in the paper, and how many are read where no agent chooses among them. */
const found = 10
const foundFirst = 5

/** @throws QuerentError `bad-config` naming the wrong option */
export function sparkle(options: SparkleOptions = {}): Policy {
  const settings = parseConfig(optionsSchema, options, 'sparkle')
  const { maxSteps, maxRounds, firstRetrieval, rules, strict, timeout, askTimeout } = settings
  const answering = { long: settings.longAnswer, strict }
  const think = thinkPrompt(answering, false)
  const conclude = thinkPrompt(answering, true)
  const decide = decidePrompt(strict)
  const formulate = formulatePrompt(strict, settings.chain)
  const integrate = integratePrompt(strict)
  const agents = [decide, formulate, integrate]
  // What a decision is worth is learned in training, and a rule decides always.
  const decides = strict || rules?.['sparkle/decide'] !== undefined
  const rounds = maxRounds + (firstRetrieval ? 1 : 0)
  return answeringPolicy({
    name: 'sparkle',
    budget: {
      rounds,
      subQueries: rounds,
      // A question that stands alone, and the answer at the end; a thought, a decision and a query in each step, as a query that
      // was searched before is no round; a choice in each round.
      asks: 2 + 3 * maxSteps + maxRounds,
      timeout,
      askTimeout,
    },
    prompts: [standalonePrompt, think, ...agents],
    agents,
    rules,
    async answer(query, tools, read) {
      const question = await standalone(query, tools)
      const thoughts: string[] = []
      /** The context of the thoughts. */
      const documents = new Map<string, Document>()
      const searched = new Set<string>()
      /** What the last search found, if no agent has chosen from it. */
      let open: readonly Document[] = []
      let isChosen = false
      let searches = 0
      const known = new Map<string, readonly string[]>()

      async function search(text: string, count: number, reason: string): Promise<void> {
        searched.add(searchKey(text))
        open = (await read.search([text], [count], reason))[0] ?? []
      }

      function take(taken: readonly Document[]): void {
        for (const document of taken) documents.set(document.docid, document)
      }

      /** Searches for what the thoughts lack, and takes the document of one fact. A query that was searched before changes nothing. */
      async function extend(): Promise<void> {
        const formulated = await tools.ask(formulate, { question, thoughts }).catch(() => undefined)
        const { chain, query: text } = formulated ?? { chain: '', query: question }
        if (searched.has(searchKey(text))) return
        searches++
        const count = thoughts.length === 1 ? 'one thought' : `${thoughts.length} thoughts`
        const reason =
          formulated === undefined
            ? 'there is no query: searched the question'
            : `search ${searches}, after ${count}`
        await search(text, found, reason)
        const candidates = await candidatesOf(text, open, { ...settings, known, signal: tools.signal })
        if (candidates.length === 0) return
        const chosen = await tools
          .ask(integrate, { question, chain, query: text, candidates })
          .catch(() => undefined)
        const sources = new Set(chosen?.map(({ docid }) => docid))
        const taken = open.filter(({ docid }) => sources.has(docid))
        isChosen ||= taken.length > 0
        take(taken)
        if (chosen !== undefined) open = []
      }

      const context = (): ThinkInput => ({ question, documents: [...documents.values()], thoughts })

      /** `undefined` if the model cannot think. */
      const asking = (prompt: typeof think): Promise<Thinking | undefined> =>
        tools.ask(prompt, context()).catch(() => undefined)

      async function needsSearch(): Promise<boolean> {
        if (searches === maxRounds) return false
        const said = decides ? undefined : decisionOf(thoughts.at(-1)!)
        return said ?? tools.ask(decide, context()).catch(() => false)
      }

      /** Thinks until there is an answer, or none to expect. */
      async function answerOf(): Promise<string | undefined> {
        for (let step = 1; step <= maxSteps; step++) {
          const said = await asking(think)
          // Without a thought there is no answer, but where the last prompt is kept for it.
          if (said === undefined && tools.left().asks !== 1) return undefined
          if (said === undefined) break
          if ('answer' in said) return said.answer
          thoughts.push(said.thought)
          if (await needsSearch()) await extend()
        }
        if (!tools.answers) return undefined
        if (tools.left().asks === 1) {
          if (read.legs.length === 0)
            await search(question, foundFirst, 'one prompt is left: searched the question')
          take(open.slice(0, foundFirst))
        }
        const last = await asking(conclude)
        return last !== undefined && 'answer' in last ? last.answer : undefined
      }

      if (firstRetrieval) {
        await search(question, foundFirst, 'the question, before the first thought')
        take(open)
      }
      const answer = await answerOf()
      if (read.legs.length === 0) tools.decide('as-is', 'no thought led to a search')
      const strategy = `${searches} ${searches === 1 ? 'search' : 'searches'}`
      return { question, evidence: [...documents.values()], isChosen, answer, strategy }
    },
  })
}
