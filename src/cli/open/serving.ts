/** What the commands that serve share: how they begin and end, their logs and metrics, and who may see their pages. */
import { Registry } from 'prom-client'
import type { Answered } from '../../../adapters/apps/http/answered.ts'
import { type GuardOptions, isLoopback } from '../../../adapters/apps/http/guard.ts'
import { lineLogger, searchLogs } from '../../../adapters/telemetry/logs.ts'
import type { Observer } from '../../observe.ts'
import { printJsonText, say, type Terminal } from '../output/terminal.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { nonEmpty } from './chat-model.ts'

type Settings = SettingsOf<'serve'>

/**
 * Serves until Ctrl-C, and then closes the server. From here on, standard output is for the log alone. Warns if other machines can
 * reach it. A worker leaves the talking to its primary.
 *
 * @param lines what people are told
 */
export async function serveUntilInterrupted(
  server: { close(): Promise<void> },
  lines: readonly string[],
  { host }: Pick<Settings, 'host'>,
  terminal: Terminal,
): Promise<void> {
  const { primary, signal } = terminal
  terminal.onlyLogs?.()
  const isOpen = host !== undefined && !isLoopback(host)
  const warning = 'WARNING: anyone who can reach that address can use it. There is no authentication.'
  const said = [...lines, ...(isOpen ? [warning] : [])]
  if (primary !== undefined) primary.listening(said)
  else for (const line of said) say(terminal, line)
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await server.close()
}

/** Serves in so many processes. The command runs in each of them once more, as a worker, and serves there. */
export async function inProcesses(
  { processes = 1 }: Pick<Settings, 'processes'>,
  terminal: Terminal,
  serve: () => Promise<void>,
): Promise<void> {
  if (processes === 1 || terminal.primary !== undefined) return serve()
  const { runWorkers } = await import('../workers/primary.ts')
  return runWorkers(processes, terminal)
}

/** The registry of the metrics of a server. In a worker, it writes the metrics of all workers. */
export function openRegistry({ primary }: Pick<Terminal, 'primary'>): Registry {
  const registry = new Registry()
  if (primary !== undefined) registry.metrics = primary.share(registry)
  return registry
}

/** A line of pino's kind on stdout for each search. @returns `undefined` if nothing is logged */
export function searchLog(
  { log, logText }: Pick<Settings, 'log' | 'logText'>,
  terminal: Terminal,
): Observer | undefined {
  if (log === undefined) return undefined
  const logger = lineLogger((line) => printJsonText(terminal, line), { level: log })
  return searchLogs({ logger, text: logText })
}

/** Most characters of a path and of what follows it: both are the caller's. */
const maxText = 1000

/** A line for each request. @returns `undefined` if requests are not logged */
export function accessLog(
  { accessLog, logText }: Pick<Settings, 'accessLog' | 'logText'>,
  terminal: Terminal,
): ((answered: Answered) => void) | undefined {
  if (accessLog !== true) return undefined
  const logger = lineLogger((line) => printJsonText(terminal, line))
  return ({ path, search, ms, ...facts }) => {
    const fields = {
      ...facts,
      path: path.slice(0, maxText),
      ...(logText === true && search !== undefined && { search: withoutToken(search).slice(0, maxText) }),
      ms: Number(ms.toFixed(3)),
    }
    if ((facts.status ?? 0) >= 500) logger.error(fields, 'request')
    else logger.info(fields, 'request')
  }
}

/** The token of the page is a secret, in the address once. */
function withoutToken(search: string): string {
  const parameters = new URLSearchParams(search)
  if (!parameters.has('token')) return search
  parameters.set('token', 'hidden')
  return parameters.toString()
}

/**
 * Who may see a page: this machine, or those who know a token. Returns `undefined` if others can reach the address and there is no
 * token.
 */
export function pageGuard(
  { host = '127.0.0.1', pageToken }: Pick<Settings, 'host' | 'pageToken'>,
  { env }: Pick<Terminal, 'env'>,
): GuardOptions | undefined {
  const token = pageToken ?? nonEmpty(env.QUERENT_PAGE_TOKEN)
  // The server itself knows its names.
  return isLoopback(host) || token !== undefined ? { hosts: false, token } : undefined
}
