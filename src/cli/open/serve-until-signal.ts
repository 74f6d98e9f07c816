/** How the commands that serve begin and end. */
import { isLoopback } from '../../../adapters/apps/http/guard.ts'
import { untilAborted } from '../../runtime/deadline.ts'
import { say, type Terminal } from '../output/terminal.ts'

interface Listening {
  readonly url: string
  close(): Promise<void>
}

export interface Served {
  readonly listen: () => Promise<Listening>
  /** What people are told when it listens. */
  readonly lines: (url: string) => readonly string[]
}

interface Address {
  readonly host?: string | undefined
}

/**
 * Listens until Ctrl-C, and then closes the server. A worker waits for the others, and leaves the talking to its primary. From
 * here on, standard output is for the log alone.
 */
export async function serveUntilInterrupted(
  { listen, lines }: Served,
  address: Address,
  terminal: Terminal,
): Promise<void> {
  const { primary, signal } = terminal
  terminal.onlyLogs?.()
  if (primary !== undefined) await untilAborted(primary.opened(), signal)
  const server = await listen()
  const said = [...lines(server.url), ...warningOf(address)]
  if (primary !== undefined) primary.listening(said)
  else for (const line of said) say(terminal, line)
  await aborted(signal)
  await server.close()
}

/** Runs a server until Ctrl-C, then closes it. Warns if other machines can reach it. */
export async function untilInterrupted(
  server: Pick<Listening, 'close'>,
  address: Address,
  terminal: Terminal,
): Promise<void> {
  for (const line of warningOf(address)) say(terminal, line)
  await aborted(terminal.signal)
  await server.close()
}

const warningOf = ({ host }: Address): readonly string[] =>
  host === undefined || isLoopback(host)
    ? []
    : ['WARNING: anyone who can reach that address can use it. There is no authentication.']

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
