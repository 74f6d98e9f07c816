/** What one search may cost: a policy declares it, an optimizer limits it, the tools keep to it. */
import { z } from 'zod'
import { count, milliseconds } from './config.ts'
import { QuerentError } from './errors.ts'

export interface Budget {
  /** Requests to the retrievers after that of the original query. Default: 1. */
  readonly rounds?: number
  /** Texts searched in all rounds together. Default: 15, of which ACQO uses 3 and the local policy all. */
  readonly subQueries?: number
  /** Prompts that a chat model is asked. Default: 8. */
  readonly asks?: number
  /** Milliseconds for the whole search. Default: 5000. */
  readonly timeout?: number
  /** Milliseconds for a prompt, repair included. Default: 3000. */
  readonly askTimeout?: number
}

export type FullBudget = { readonly [Name in keyof Budget]-?: number }

export const defaultBudget: FullBudget = {
  rounds: 1,
  subQueries: 15,
  asks: 8,
  timeout: 5000,
  askTimeout: 3000,
}

export const budgetSchema: z.ZodType<Budget> = z.strictObject({
  rounds: count.exactOptional(),
  subQueries: count.exactOptional(),
  asks: count.exactOptional(),
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
    timeout: limit('timeout'),
    askTimeout: limit('askTimeout'),
  }
}

/** Counts what a policy spends. Both reject with `too-deep` before the budget is exceeded. */
export interface Ledger {
  /** One more prompt. */
  ask(): void
  /** One more round, which searches so many texts. Gives its number, from 1. */
  round(texts: number): number
}

export function createLedger({ rounds, subQueries, asks }: FullBudget): Ledger {
  const spent = { rounds: 0, subQueries: 0, asks: 0 }
  return {
    ask() {
      if (spent.asks === asks) throw tooDeep(`A policy may ask a chat model ${times(asks)}`, 'asks')
      spent.asks++
    },
    round(texts) {
      if (spent.rounds === rounds)
        throw tooDeep(`A policy may retrieve ${times(rounds)} after the original query`, 'rounds')
      if (spent.subQueries + texts > subQueries) {
        const wanted = spent.subQueries + texts
        throw tooDeep(`A policy wanted ${wanted} sub-queries; ${subQueries} is the limit`, 'subQueries')
      }
      spent.subQueries += texts
      return ++spent.rounds
    },
  }
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)

const tooDeep = (what: string, name: keyof Budget): QuerentError =>
  new QuerentError('too-deep', what, {
    remedy: `Declare more in the policy's \`budget.${name}\`, and allow it in the optimizer's.`,
  })
