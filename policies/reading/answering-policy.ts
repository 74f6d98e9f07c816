/**
 * What the policies of the papers share: rules in place of prompts, the last prompt of a budget for the answer, and hits that begin with
 * what the answer was read from.
 */
import type { Budget } from '../../src/budget.ts'
import { QuerentError } from '../../src/errors.ts'
import type { Policy } from '../../src/policy.ts'
import type { Document, Query } from '../../src/types.ts'
import type { RerankedOutcome, RerankedTools } from '../../src/with-rerank.ts'
import type { Rule } from './options.ts'
import { type Reading, reading } from './reading.ts'

interface Read {
  /** The question in words that stand alone. Default: the query's. */
  readonly question?: string
  /** What the answer was read from, or would have been. */
  readonly evidence: readonly Document[]
  /** Whether a prompt chose the evidence, or it is merely what was found. */
  readonly isChosen: boolean
  readonly answer: string | undefined
  /** See `Outcome`. */
  readonly strategy: string
}

interface Named {
  readonly name: string
}

interface AnsweringPolicy {
  readonly name: string
  readonly budget: Budget
  readonly prompts: readonly Named[]
  /** Those of the prompts that training is for. */
  readonly agents: readonly Named[]
  /** Functions in place of prompts: without a model, at no cost, with no step in the trace. Default: none. */
  readonly rules: object | undefined
  /** @param read searches, with the legs of all rounds; without any, the original query's stand for them */
  answer(query: Query, tools: RerankedTools, read: Reading): Promise<Read>
}

/**
 * Where an answer is wanted and one prompt is left, only `final` prompts are asked. Others fail with `budget-exceeded`, the policy goes on
 * as after any prompt that fails, and the outcome is ended by `asks`.
 *
 * @throws QuerentError `bad-config` for a rule in place of another prompt
 */
export function answeringPolicy({ rules = {}, answer, ...declared }: AnsweringPolicy): Policy {
  const names = declared.prompts.map(({ name }) => name)
  const unknown = Object.keys(rules).find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new QuerentError('bad-config', `${declared.name}: rules: ${unknown} is not one of its prompts`, {
      remedy: `With these options it asks ${names.join(', ')}.`,
    })
  const ruleOf = ({ name }: Named): Rule<unknown, never> | undefined => Reflect.get(rules, name)
  const withoutRules = (prompts: readonly Named[]): string[] =>
    prompts.filter((prompt) => ruleOf(prompt) === undefined).map(({ name }) => name)
  return {
    ...declared,
    reads: true,
    prompts: withoutRules(declared.prompts),
    agents: withoutRules(declared.agents),
    async run(query, given) {
      let isShort = false
      const tools: RerankedTools = {
        ...given,
        async ask(prompt, input) {
          const rule = ruleOf(prompt)
          if (rule !== undefined) return rule(input)
          if (!given.answers || prompt.final === true || given.left().asks > 1)
            return given.ask(prompt, input)
          isShort = true
          throw new QuerentError('budget-exceeded', 'The last prompt is kept for the answer')
        },
      }
      const read = reading(tools, query.text)
      const outcome = await outcomeOf(await answer(query, tools, read), query, tools, read)
      return isShort ? { ...outcome, endedBy: 'asks' } : outcome
    },
  }
}

/** @throws the first leg's own error if no leg has an answer */
async function outcomeOf(
  { question, evidence, isChosen, answer, strategy }: Read,
  { text }: Query,
  tools: RerankedTools,
  { legs }: Reading,
): Promise<RerankedOutcome> {
  const voting = legs.length > 0 ? legs : await tools.original()
  const own = question === undefined || question === text ? {} : { rewritten: question }
  // Without a choice and without an answer, nothing says that these documents are better than the fusion's.
  if (!isChosen && answer === undefined) return { hits: tools.fuse(voting), strategy, ...own }
  const citations = [...new Set(evidence.map(({ docid }) => docid))]
  const hits = tools.fuse(voting, { first: citations })
  return { hits, citations, strategy, ...own, ...(answer !== undefined && { answer }) }
}
