import type { Readable, Writable } from 'node:stream'
import type { Registry } from 'prom-client'
import type { Clock } from '../../runtime/clock.ts'
import { escapedInJson, forTerminal } from '../../text/controls.ts'

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
  /** Called by servers: stdout holds only their log. Where it cannot be written, they serve without it. */
  readonly onlyLogs?: () => void
  /** Default: the system clock. */
  readonly clock?: Clock
  /** In a worker: the process that started it. */
  readonly primary?: Primary
}

/** What a worker asks of the process that started it, and tells it. */
interface Primary {
  /** This worker listens. The lines are printed once, when all of them do. */
  listening(lines: readonly string[]): void
  /** Shares the metrics of this worker. Returns a function that gives those of all workers, as Prometheus reads them. */
  share(registry: Registry): () => Promise<string>
}

/** Prints a message on stderr, without what a terminal would obey. */
export function say(terminal: Terminal, line: string): void {
  terminal.stderr.write(`${forTerminal(line)}\n`)
}

/** Prints a line of the result on stdout, without what a terminal would obey. */
export function print(terminal: Terminal, line: string): void {
  terminal.stdout.write(`${forTerminal(line)}\n`)
}

/** Prints JSON on stdout, which says the same as it did: what a terminal would obey is escaped. */
export function printJsonText(terminal: Terminal, json: string): void {
  terminal.stdout.write(`${escapedInJson(json)}\n`)
}

/** Prints the one JSON document of `--json`. */
export function printJson(terminal: Terminal, value: unknown): void {
  printJsonText(terminal, JSON.stringify(value, null, 2))
}

/** Tells what a command has made: as the one JSON document of `--json`, or in lines on stderr. */
export function tell(
  terminal: Terminal,
  { json }: { readonly json?: boolean | undefined },
  value: object,
  lines: readonly string[],
): void {
  if (json) printJson(terminal, value)
  else for (const line of lines) say(terminal, line)
}
