/** How the commands that serve end. */

import { say, type Terminal } from '../output/terminal.ts'

/** Runs a server until Ctrl-C, then closes it. Warns if other machines can reach it. */
export async function untilInterrupted(
  server: { close(): Promise<void> },
  { host }: { readonly host?: string | undefined },
  terminal: Terminal,
): Promise<void> {
  if (host !== undefined && !isLoopback(host))
    say(terminal, 'WARNING: anyone who can reach that address can use it. There is no authentication.')
  await aborted(terminal.signal)
  await server.close()
}

/** Whether only this machine can reach an address. */
export const isLoopback = (host: string): boolean => /^(127\.|localhost$|::1$)/.test(host)

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
