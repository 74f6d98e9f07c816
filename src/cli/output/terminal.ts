import type { Readable, Writable } from 'node:stream'
import { styleText } from 'node:util'
import { Help } from 'commander'
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
  /** The same at each SIGUSR2. */
  readonly onSwitch?: (listener: () => void) => () => void
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
  terminal.stderr.write(`${shownOn(terminal.stderr, forTerminal(line))}\n`)
}

/** Prints a line of the result on stdout, without what a terminal would obey. */
export function print(terminal: Terminal, line: string): void {
  terminal.stdout.write(`${shownOn(terminal.stdout, forTerminal(line))}\n`)
}

/** Lines as a terminal shows them: broken at words, below their own beginning, with colors. Pipes and files get them as they are. */
function shownOn(
  stream: Writable & { readonly isTTY?: boolean; readonly columns?: number },
  text: string,
): string {
  if (!stream.isTTY) return text
  const lines = text.split('\n').flatMap((line) => wrapped(line, stream.columns ?? 80))
  return lines.map((line) => colored(stream, line)).join('\n')
}

/** What commander wraps its help with. */
const help = Object.assign(new Help(), { minWidthToWrap: 1 })

function wrapped(line: string, width: number): readonly string[] {
  const indent = /^ *(?:(?:\d+\.|[-+·]) +)?/.exec(line)![0]
  if (line.length <= width || indent.length > width / 2) return [line]
  const lines = help.boxWrap(line.slice(indent.length), width - indent.length).split('\n')
  return lines.map((one, at) => (at === 0 ? indent : ' '.repeat(indent.length)) + one)
}

/** What got better, what got worse, and what only machines compare. Node leaves colors out where `NO_COLOR` is set. */
const styles = [
  [/(?:[+−]\d+\.\d+ )?▲(?: (?:new|\d+ from \d+))?/g, 'green'],
  [/(?:[+−]\d+\.\d+ )?▼(?: \d+ from \d+)?/g, 'yellow'],
  [/(?<=^ *\d+\. .* )-?\d+\.\d{4}$/g, 'dim'],
] as const

const colored = (stream: Writable, line: string): string =>
  styles.reduce(
    (text, [what, style]) => text.replace(what, (found) => styleText(style, found, { stream })),
    line,
  )

/** Columns of what people read: those of the terminal, and 100 in pipes and files. */
export const widthOf = ({ stdout }: Terminal): number =>
  (stdout as { readonly columns?: number }).columns ?? 100

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
