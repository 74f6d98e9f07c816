import type { Readable, Writable } from 'node:stream'
import type { Clock } from '../../runtime/clock.ts'

/** What a command sees of the outside, so that it can run in a test as it runs in a terminal. */
export interface Terminal {
  readonly stdin: Readable
  /** Results: what another program or a person asked for. With `--json` one JSON document and nothing else. */
  readonly stdout: Writable
  /** Everything said to a person beside the results. */
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where `querent.json` is looked for. Default: the working folder. */
  readonly folder?: string
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** Calls back at each SIGHUP, which ends a process that does not ask for this. Gives what takes it back. */
  readonly onHangup?: (listener: () => void) => () => void
  /** Time, for tests. Default: the system's. */
  readonly clock?: Clock
}

/** Says something to the person at the terminal. */
export function say(terminal: Terminal, line: string): void {
  terminal.stderr.write(`${line}\n`)
}

/** Prints a line of the result. */
export function print(terminal: Terminal, line: string): void {
  terminal.stdout.write(`${line}\n`)
}

/** Prints the one JSON document of `--json`. */
export function printJson(terminal: Terminal, value: unknown): void {
  print(terminal, JSON.stringify(value, null, 2))
}
