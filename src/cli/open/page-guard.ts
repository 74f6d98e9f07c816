/** Who may see a page of the command line: this machine, or those who know a token where other machines can reach it. */
import { type GuardOptions, isLoopback } from '../../../adapters/apps/http/guard.ts'
import type { Terminal } from '../output/terminal.ts'
import { nonEmpty } from './chat-model.ts'

export interface PageSettings {
  readonly host?: string | undefined
  readonly pageToken?: string | undefined
}

/** Returns `undefined` if others can reach the address and there is no token. */
export function pageGuard(
  { host = '127.0.0.1', pageToken }: PageSettings,
  { env }: Pick<Terminal, 'env'>,
): GuardOptions | undefined {
  const token = pageToken ?? nonEmpty(env.QUERENT_PAGE_TOKEN)
  // The server itself knows its names.
  return isLoopback(host) || token !== undefined ? { hosts: false, token } : undefined
}
