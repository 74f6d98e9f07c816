/** What a search may cost: which number counts, and what happens when it is spent. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Budget, budgetOf, budgetSchema, createLedger, defaultBudget } from '../src/budget.ts'
import { createOptimizer } from '../src/optimizer.ts'
import { expectError } from './support/expect-error.ts'
import { scriptedRetriever } from './support/scripted.ts'

const names = ['rounds', 'subQueries', 'asks', 'tokens', 'usd', 'timeout', 'askTimeout'] as const
const amounts = Object.fromEntries(names.map((name) => [name, fc.option(fc.integer({ min: 1, max: 20 }))]))
/** A budget with some of its numbers. */
const budgets: fc.Arbitrary<Budget> = fc
  .record(amounts)
  .map((all) => Object.fromEntries(Object.entries(all).filter(([, amount]) => amount !== null)))

describe('budgetOf', () => {
  it('takes the number that the policy declares, else the ceiling, else the default', () => {
    const unlimited = { tokens: Number.POSITIVE_INFINITY, usd: Number.POSITIVE_INFINITY }
    const defaults = { rounds: 1, subQueries: 15, asks: 8, ...unlimited, timeout: 5000, askTimeout: 3000 }
    expect(budgetOf()).toEqual(defaults)
    expect(budgetOf({ rounds: 3, timeout: 9000 })).toEqual({ ...defaults, rounds: 3, timeout: 9000 })
    expect(budgetOf({}, { asks: 20, timeout: 100 })).toEqual({ ...defaults, asks: 20, timeout: 100 })
  })

  it('never exceeds the ceiling', () => {
    expect(budgetOf({ rounds: 3 }, { rounds: 2 }).rounds).toBe(2)
    expect(budgetOf({ asks: 4 }, { asks: 20 }).asks).toBe(4)
    fc.assert(
      fc.property(budgets, budgets, (declared, ceiling) => {
        const budget = budgetOf(declared, ceiling)
        for (const name of names) {
          expect(budget[name]).toBeLessThanOrEqual(ceiling[name] ?? Number.POSITIVE_INFINITY)
          // It is one of the three numbers, so nothing is made up.
          expect([declared[name], ceiling[name], defaultBudget[name]]).toContain(budget[name])
        }
      }),
    )
  })
})

describe('budgetSchema', () => {
  it.each([
    { rounds: 0 },
    { asks: 1.5 },
    { timeout: -1 },
    { usd: 0 },
    { tokens: 0.5 },
    { subQueries: '3' },
    { rouns: 1 },
  ])('refuses %j', (budget) => expect(budgetSchema.safeParse(budget).success).toBe(false))

  it('names the policy whose budget is wrong, and the wrong name', () => {
    const policy = { name: 'greedy', budget: { rounds: 0 }, run: async () => ({ hits: [] }) }
    const retrievers = [scriptedRetriever()]
    expectError(() => createOptimizer({ retrievers, policy }), 'bad-config', /greedy.*rounds/)
    expectError(() => createOptimizer({ retrievers, budget: { rouns: 1 } as never }), 'bad-config', 'rouns')
  })
})

describe('createLedger', () => {
  const ledgerOf = (budget: Budget) => createLedger(budgetOf(budget))

  it('numbers the rounds from 1, and refuses one more than the budget has', () => {
    const ledger = ledgerOf({ rounds: 2 })
    expect([ledger.round(1), ledger.round(1)]).toEqual([1, 2])
    expectError(() => ledger.round(1), 'budget-exceeded', /\b2\b.*budget\.rounds/)
    expectError(() => ledgerOf({ rounds: 1 }).round(16), 'budget-exceeded', /16.*15.*budget\.subQueries/)
  })

  it('counts the texts of all rounds together', () => {
    const ledger = ledgerOf({ rounds: 3, subQueries: 5 })
    ledger.round(2)
    ledger.round(2)
    expectError(() => ledger.round(2), 'budget-exceeded', /6.*5.*budget\.subQueries/)
    // A refused round costs nothing: there is still room for one text.
    expect(ledger.round(1)).toBe(3)
  })

  it('counts the prompts', () => {
    const ledger = ledgerOf({ asks: 1 })
    ledger.ask()
    expectError(() => ledger.ask(), 'budget-exceeded', /budget\.asks/)
  })

  it('spends exactly the budget, whatever is asked of it', () => {
    const rounds = fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 12 })
    fc.assert(
      fc.property(rounds, budgets, (wanted, declared) => {
        const budget = budgetOf(declared)
        const ledger = createLedger(budget)
        let [spent, numbers] = [0, 0]
        for (const texts of wanted) {
          const fits = numbers < budget.rounds && spent + texts <= budget.subQueries
          if (!fits) {
            expectError(() => ledger.round(texts), 'budget-exceeded')
            continue
          }
          expect(ledger.round(texts)).toBe(++numbers)
          spent += texts
        }
      }),
    )
  })
})
