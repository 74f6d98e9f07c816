/** The budget in words, for the terminal and the page. */
import type { BudgetPart } from './types.ts'

/** What is missing when this part of a budget is spent. */
export const partWords: Readonly<Record<BudgetPart, string>> = {
  rounds: 'no rounds left',
  subQueries: 'no sub-queries left',
  asks: 'no prompts left',
  tokens: 'no tokens left',
  usd: 'no dollars left',
  timeout: 'no time left',
}
