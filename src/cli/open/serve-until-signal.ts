/** What the commands that serve have in common: how they end. */

import { say, type Terminal } from '../output/terminal.ts'

/** Lets a server run until Ctrl-C, which is how one is meant to end, and closes it. Says so where others can reach it. */
export async function untilInterrupted(
  server: { close(): Promise<void> },
  { host }: { readonly host?: string | undefined },
  terminal: Terminal,
): Promise<void> {
  if (host !== undefined && !isLoopback(host))
    say(terminal, 'Whoever reaches that address can use it: nobody is asked who they are.')
  await aborted(terminal.signal)
  await server.close()
}

const isLoopback = (host: string): boolean => /^(127\.|localhost$|::1$)/.test(host)

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
