/** What a search may cost, for commands. */
import { type Budget, defaultBudget } from '../../budget.ts'
import type { SettingsOf } from '../settings/of-commands.ts'

/**
 * The budget of the settings. `--budget` lowers what a policy may spend and never raises it. A longer timeout of the chat model
 * or of re-ranking lengthens the search of a policy that does not declare how long it takes.
 */
export function budgetFor(
  {
    budget: { asks, rounds, ms, tokens, usd } = {},
    chatTimeout,
    rerankTimeout,
    timeout,
  }: Partial<Pick<SettingsOf<'search'>, 'budget' | 'chatTimeout' | 'rerankTimeout' | 'timeout'>>,
  declared: Budget = {},
): Budget {
  const slow = (chatTimeout ?? 0) + (rerankTimeout ?? 0)
  const isOpen = slow > 0 && declared.timeout === undefined
  const longer = isOpen ? Math.max(defaultBudget.timeout, slow + 2000) : undefined
  const wanted = timeout ?? longer
  const usual = { ...defaultBudget, ...declared, ...(wanted !== undefined && { timeout: wanted }) }
  const whole = ms === undefined ? wanted : Math.min(ms, usual.timeout)
  return {
    ...(asks !== undefined && { asks: Math.min(asks, usual.asks) }),
    ...(rounds !== undefined && { rounds: Math.min(rounds, usual.rounds) }),
    ...(tokens !== undefined && { tokens }),
    ...(usd !== undefined && { usd }),
    ...(chatTimeout !== undefined && { askTimeout: chatTimeout }),
    ...(whole !== undefined && { timeout: whole }),
  }
}
