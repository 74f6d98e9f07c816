/** How the commands that serve begin and end. */

import { Registry } from 'prom-client'
import { isLoopback } from '../../../adapters/apps/http/guard.ts'
import { say, type Terminal } from '../output/terminal.ts'

/**
 * Serves until Ctrl-C, and then closes the server. From here on, standard output is for the log alone. Warns if other machines can reach it. A worker leaves the talking to its primary.
 *
 * @param lines what people are told
 */
export async function serveUntilInterrupted(
  server: { close(): Promise<void> },
  lines: readonly string[],
  { host }: { readonly host?: string | undefined },
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

/** The registry of the metrics of a server. In a worker, it writes the metrics of all workers. */
export function openRegistry({ primary }: Pick<Terminal, 'primary'>): Registry {
  const registry = new Registry()
  if (primary !== undefined) registry.metrics = primary.share(registry)
  return registry
}
