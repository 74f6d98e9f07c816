/** The page of `serve`: for this machine, or for those who know a token where other machines can reach it. */
import { playgroundHandler } from '../../../adapters/apps/http/fetch.ts'
import type { Searcher } from '../../../adapters/apps/http/options.ts'
import type { Terminal } from '../output/terminal.ts'
import { type PageSettings, pageGuard } from './page-guard.ts'

interface ServedPage {
  readonly optimizer: Searcher
  /** The same index without a policy. */
  readonly plain: Searcher | undefined
  readonly onError: (error: Error) => void
}

/** Returns the handler; `undefined` if others can reach the address and there is no token. */
export function servedPage(
  { plain, ...served }: ServedPage,
  settings: PageSettings,
  terminal: Pick<Terminal, 'env'>,
): ((request: Request) => Promise<Response>) | undefined {
  const guard = pageGuard(settings, terminal)
  if (guard === undefined) return undefined
  return playgroundHandler({ ...served, ...guard, ...(plain && { others: { none: plain } }), path: '/' })
}
