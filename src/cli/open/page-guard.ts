/** Pages of the command line: for this machine, or for those who know a token where other machines can reach it. */
import { playgroundHandler } from '../../../adapters/apps/http/fetch.ts'
import { type GuardOptions, isLoopback } from '../../../adapters/apps/http/guard.ts'
import type { Searcher } from '../../../adapters/apps/http/options.ts'
import type { Terminal } from '../output/terminal.ts'
import { nonEmpty } from './chat-model.ts'

interface PageSettings {
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

interface ServedPage {
  readonly optimizer: Searcher
  /** The same index without a policy. */
  readonly plain: Searcher | undefined
  readonly onError: (error: Error) => void
}

/** The handler of the page of `serve`; `undefined` if others can reach the address and there is no token. */
export function servedPage(
  { plain, ...served }: ServedPage,
  settings: PageSettings,
  terminal: Pick<Terminal, 'env'>,
): ((request: Request) => Promise<Response>) | undefined {
  const guard = pageGuard(settings, terminal)
  if (guard === undefined) return undefined
  return playgroundHandler({ ...served, ...guard, ...(plain && { others: { none: plain } }), path: '/' })
}
