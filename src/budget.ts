/** What one search may cost: a policy declares it, an optimizer limits it, the tools keep to it. */
import { z } from 'zod'
import { count, milliseconds } from './config.ts'
import { QuerentError } from './errors.ts'
import type { BudgetPart, Tokens } from './types.ts'

export interface Budget {
  /** Requests to the retrievers after that of the original query. Default: 1. */
  readonly rounds?: number
  /** Texts searched in all rounds together. Default: 15, of which ACQO uses 3 and the local policy all. */
  readonly subQueries?: number
  /** Prompts that a chat model is asked. Default: 8. */
  readonly asks?: number
  /**
   * Tokens of all prompts and completions of chat models. Prompts that are under way when they are spent are finished, and no further
   * one is asked. Default: no limit.
   */
  readonly tokens?: number
  /** Dollars for chat models, by the optimizer's `prices`. Spent as `tokens` are. Default: no limit. */
  readonly usd?: number
  /** Milliseconds for the whole search. Default: 5000. */
  readonly timeout?: number
  /** Milliseconds for a prompt, repair included. Default: 3000. */
  readonly askTimeout?: number
}

export type FullBudget = { readonly [Name in keyof Budget]-?: number }

export const budgetParts = [
  'rounds',
  'subQueries',
  'asks',
  'tokens',
  'usd',
  'timeout',
] as const satisfies readonly BudgetPart[]

export const defaultBudget: FullBudget = {
  rounds: 1,
  subQueries: 15,
  asks: 8,
  tokens: Number.POSITIVE_INFINITY,
  usd: Number.POSITIVE_INFINITY,
  timeout: 5000,
  askTimeout: 3000,
}

export const budgetSchema: z.ZodType<Budget> = z.strictObject({
  rounds: count.exactOptional(),
  subQueries: count.exactOptional(),
  asks: count.exactOptional(),
  tokens: count.exactOptional(),
  usd: z.number().positive().exactOptional(),
  timeout: milliseconds.exactOptional(),
  askTimeout: milliseconds.exactOptional(),
})

/** The budget of one search: what the policy declares up to the ceiling; where it declares nothing, the ceiling or the default. */
export function budgetOf(declared: Budget = {}, ceiling: Budget = {}): FullBudget {
  const limit = (name: keyof Budget): number =>
    Math.min(
      declared[name] ?? ceiling[name] ?? defaultBudget[name],
      ceiling[name] ?? Number.POSITIVE_INFINITY,
    )
  return {
    rounds: limit('rounds'),
    subQueries: limit('subQueries'),
    asks: limit('asks'),
    tokens: limit('tokens'),
    usd: limit('usd'),
    timeout: limit('timeout'),
    askTimeout: limit('askTimeout'),
  }
}

/** Counts what a search spends. All but `spend` throw `budget-exceeded` before the budget is exceeded. */
export interface Ledger {
  /** One more prompt. */
  ask(): void
  /** Whether there are tokens and dollars left for a prompt. */
  checkSpent(): void
  /** What a prompt took. */
  spend(tokens: Tokens, usd: number): void
  /** One more round, which searches so many texts. Gives its number, from 1. */
  round(texts: number): number
  /** One more request under conditions, with so many texts, which the budget does not count. Gives the number of its round. */
  narrow(texts: number): number
  /** What the first of these errors was about. */
  readonly refused: BudgetPart | undefined
  /** What is left, but of time. */
  left(): Omit<FullBudget, 'timeout' | 'askTimeout'>
}

/** Requests under other conditions, and texts of each: two for filters in the words of a query, one if nothing was found. */
const narrowing = { requests: 3, texts: 16 }

export function createLedger({ rounds, subQueries, asks, tokens, usd }: FullBudget): Ledger {
  const spent = { rounds: 0, subQueries: 0, asks: 0, tokens: 0, usd: 0, narrowings: 0 }
  let refused: BudgetPart | undefined
  const tooDeep = (what: string, name: BudgetPart): QuerentError => {
    refused ??= name
    return new QuerentError('budget-exceeded', what, {
      remedy: `Declare more in the policy's \`budget.${name}\`, and allow it in the optimizer's.`,
    })
  }
  return {
    get refused() {
      return refused
    },
    ask() {
      if (spent.asks === asks) throw tooDeep(`A policy may ask a chat model ${times(asks)}`, 'asks')
      spent.asks++
    },
    checkSpent() {
      if (spent.tokens >= tokens) throw tooDeep(`A search may take ${tokens} tokens`, 'tokens')
      if (spent.usd >= usd) throw tooDeep(`A search may cost ${usd} dollars`, 'usd')
    },
    spend({ prompt, completion }, cost) {
      spent.tokens += prompt + completion
      spent.usd += cost
    },
    round(texts) {
      if (spent.rounds === rounds)
        throw tooDeep(`A policy may retrieve ${times(rounds)} after the original query`, 'rounds')
      if (spent.subQueries + texts > subQueries) {
        const wanted = spent.subQueries + texts
        throw tooDeep(`A policy wanted ${wanted} sub-queries; ${subQueries} is the limit`, 'subQueries')
      }
      spent.subQueries += texts
      return ++spent.rounds + spent.narrowings
    },
    narrow(texts) {
      if (spent.narrowings === narrowing.requests || texts > narrowing.texts)
        throw new QuerentError(
          'budget-exceeded',
          `A policy may search under other conditions ${times(narrowing.requests)}, ${narrowing.texts} texts each time`,
        )
      return ++spent.narrowings + spent.rounds
    },
    left: () => ({
      rounds: rounds - spent.rounds,
      subQueries: subQueries - spent.subQueries,
      asks: asks - spent.asks,
      tokens: tokens - spent.tokens,
      usd: usd - spent.usd,
    }),
  }
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)
