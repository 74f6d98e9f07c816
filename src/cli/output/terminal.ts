import type { Readable, Writable } from 'node:stream'
import type { Clock } from '../../runtime/clock.ts'

/** A command's environment. Tests pass their own. */
export interface Terminal {
  readonly stdin: Readable
  /** Results. With `--json` one JSON document and nothing else. */
  readonly stdout: Writable
  /** Messages for people. */
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder of `querent.json`. Default: the working folder. */
  readonly folder?: string
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** Calls `listener` at each SIGHUP, which otherwise ends the process. Returns a function that removes the listener. */
  readonly onHangup?: (listener: () => void) => () => void
  /** Default: the system clock. */
  readonly clock?: Clock
}

/** Prints a message on stderr. */
export function say(terminal: Terminal, line: string): void {
  terminal.stderr.write(`${line}\n`)
}

/** Prints a line of the result on stdout. */
export function print(terminal: Terminal, line: string): void {
  terminal.stdout.write(`${line}\n`)
}

/** Prints the one JSON document of `--json`. */
export function printJson(terminal: Terminal, value: unknown): void {
  print(terminal, JSON.stringify(value, null, 2))
}
