/** The page of `serve`: for this machine, or for those who know a token where other machines can reach it. */
import { playgroundHandler } from '../../../adapters/apps/http/fetch.ts'
import type { Searcher } from '../../../adapters/apps/http/options.ts'
import type { Terminal } from '../output/terminal.ts'
import { nonEmpty } from './chat-model.ts'
import { isLoopback } from './serve-until-signal.ts'

interface ServedPage {
  readonly optimizer: Searcher
  /** The same index without a policy. */
  readonly plain: Searcher | undefined
  readonly onError: (error: Error) => void
}

interface PageSettings {
  readonly host?: string | undefined
  readonly pageToken?: string | undefined
}

/** Returns the handler; `undefined` if others can reach the address and there is no token. */
export function servedPage(
  { plain, ...served }: ServedPage,
  { host = '127.0.0.1', pageToken }: PageSettings,
  { env }: Pick<Terminal, 'env'>,
): ((request: Request) => Promise<Response>) | undefined {
  const token = pageToken ?? nonEmpty(env.QUERENT_PAGE_TOKEN)
  const isLocal = isLoopback(host)
  if (!isLocal && token === undefined) return undefined
  return playgroundHandler({
    ...served,
    ...(plain && { others: { none: plain } }),
    path: '/',
    // Elsewhere the names are many, and the token keeps strangers out.
    ...(!isLocal && { hosts: false }),
    token,
  })
}

/** Whether a request is for the page: a browser's, or a search of the page itself. Programs at `/` are told where to search. */
export function isForPage({ method, headers, url }: Request): boolean {
  if (new URL(url).pathname !== '/') return false
  return method === 'POST' || (headers.get('accept') ?? '').includes('text/html')
}
