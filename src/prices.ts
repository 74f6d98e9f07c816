/** What chat models cost. */
import { z } from 'zod'
import type { FullBudget } from './budget.ts'
import { QuerentError } from './errors.ts'
import type { ChatModel, Tokens } from './types.ts'

/** What a model costs for a million tokens. */
export interface Price {
  readonly prompt: number
  readonly completion: number
}

/** Prices by the name of the chat model. */
export type Prices = Readonly<Record<string, Price>>

const price = z.number().nonnegative()
export const pricesSchema: z.ZodType<Prices> = z.record(
  z.string(),
  z.strictObject({ prompt: price, completion: price }),
)

/** What tokens cost; `undefined` without a price. */
export const costOf = ({ prompt, completion }: Tokens, price: Price | undefined): number | undefined =>
  price && (prompt * price.prompt + completion * price.completion) / 1e6

/** @throws QuerentError `bad-config` if the budget is in dollars and a model has no price: the budget would not hold */
export function checkPrices(
  { usd }: Pick<FullBudget, 'usd'>,
  models: readonly (ChatModel | undefined)[],
  prices: Prices,
): void {
  if (usd === Number.POSITIVE_INFINITY) return
  const unpriced = models.find((model) => model !== undefined && !Object.hasOwn(prices, model.name))
  if (unpriced === undefined) return
  throw new QuerentError('bad-config', `The budget is in dollars, and ${unpriced.name} has no price`, {
    remedy: `Add what a million tokens cost: prices: { "${unpriced.name}": { prompt, completion } }, or --set prices=${unpriced.name}=PROMPT/COMPLETION.`,
  })
}
