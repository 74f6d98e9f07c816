/** The log of `serve` and `proxy`: pino's lines on stdout. */
import { type LogLevel, lineLogger, searchLogs } from '../../../adapters/telemetry/logs.ts'
import type { Observer } from '../../observe.ts'
import { printJsonText, type Terminal } from '../output/terminal.ts'

interface LogSettings {
  readonly log?: LogLevel | undefined
  readonly logText?: boolean | undefined
}

/** @returns `undefined` if nothing is logged */
export function searchLog({ log, logText }: LogSettings, terminal: Terminal): Observer | undefined {
  if (log === undefined) return undefined
  return searchLogs({
    logger: lineLogger((line) => printJsonText(terminal, line), { level: log }),
    text: logText,
  })
}
