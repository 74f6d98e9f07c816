/**
 * SPARKLE ("SPARKLE: a structured and plug-and-play agentic retrieval policy for adaptive RAG models"), Algorithm 1. A language model
 * thinks step by step. After each thought, three small agents decide whether it needs a search, write the query from a chain of what
 * is known, and choose one fact of what was found. The document of that fact joins the context of the next thought.
 * Querent's: a thought that asks for something needs a search, one that gives the answer needs none; nobody decides about these.
 *
 * @module querent/policies/sparkle
 */
import { parseConfig } from '../../src/config.ts'
import type { Policy } from '../../src/policy.ts'
import { outcomeOf } from '../reading/outcome.ts'
import { reading } from '../reading/reading.ts'
import { withoutRules, withRules } from '../reading/rules.ts'
import { standalone, standalonePrompt } from '../reading/standalone.ts'
import { createContext } from './context.ts'
import { optionsSchema, type SparkleOptions } from './options.ts'
import { decisionOf } from './parse.ts'
import { decidePrompt, formulatePrompt, integratePrompt, type Thinking, thinkPrompt } from './prompts.ts'

export type { AnsweringOptions } from '../reading/options.ts'
export type { SparkleOptions, SparkleRules } from './options.ts'
export { documentsAsTriples, sentencesAsTriples, type Triple, type TripleStore } from './triples.ts'

/** @throws QuerentError `bad-config` naming the wrong option */
export function sparkle(options: SparkleOptions = {}): Policy {
  const settings = parseConfig(optionsSchema, options, 'sparkle')
  const { triples, embedder, maxSteps, maxRounds, firstRetrieval, rules, strict } = settings
  const answering = { long: settings.longAnswer, strict }
  const think = thinkPrompt(answering, false)
  const conclude = thinkPrompt(answering, true)
  const decide = decidePrompt(strict)
  const formulate = formulatePrompt(strict, settings.chain)
  const integrate = integratePrompt(strict)
  const agents = [decide, formulate, integrate]
  // What a decision is worth is learned in training, and a rule decides always.
  const decides = strict || rules['sparkle/decide'] !== undefined
  const rounds = maxRounds + (firstRetrieval ? 1 : 0)
  return {
    name: 'sparkle',
    budget: {
      rounds,
      subQueries: rounds,
      // A question that stands alone, and the answer at the end; a thought, a decision and a query in each step, as a query that
      // was searched before is no round; a choice in each round.
      asks: 2 + 3 * maxSteps + maxRounds,
      timeout: settings.timeout,
      askTimeout: settings.askTimeout,
    },
    reads: true,
    prompts: withoutRules([standalonePrompt, think, ...agents], rules),
    agents: withoutRules(agents, rules),
    async run(query, given) {
      const tools = withRules(given, rules)
      const question = await standalone(query, tools)
      const read = reading(tools, query.text)
      const context = createContext({ question, tools, read, formulate, integrate, triples, embedder })
      const thoughts: string[] = []

      /** `undefined` if the model cannot think. */
      async function asking(prompt: typeof think): Promise<Thinking | undefined> {
        return tools.ask(prompt, { question, documents: context.documents, thoughts }).catch(() => undefined)
      }

      async function needsSearch(): Promise<boolean> {
        if (context.searches === maxRounds) return false
        const known = decides ? undefined : decisionOf(thoughts.at(-1)!)
        if (known !== undefined) return known
        return tools.ask(decide, { question, documents: context.documents, thoughts }).catch(() => false)
      }

      /** Thinks until there is an answer, or none to expect. */
      async function answerOf(): Promise<string | undefined> {
        for (let step = 1; step <= maxSteps; step++) {
          const said = await asking(think)
          if (said === undefined) return undefined
          if ('answer' in said) return said.answer
          thoughts.push(said.thought)
          if (await needsSearch()) await context.extend(thoughts)
        }
        const last = tools.answers ? await asking(conclude) : undefined
        return last !== undefined && 'answer' in last ? last.answer : undefined
      }

      if (firstRetrieval) await context.begin()
      const answer = await answerOf()
      if (read.legs.length === 0) tools.decide('as-is', 'no thought led to a search')
      const { documents: evidence, isChosen } = context
      const strategy = `${context.searches} ${context.searches === 1 ? 'search' : 'searches'}`
      const rewritten = question === query.text ? undefined : question
      return outcomeOf({ legs: read.legs, evidence, isChosen, answer, strategy, rewritten }, tools)
    },
  }
}
