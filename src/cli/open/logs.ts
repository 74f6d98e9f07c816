/** The logs of servers: pino's lines on stdout. */
import type { Answered } from '../../../adapters/apps/http/answered.ts'
import { type LogLevel, lineLogger, searchLogs } from '../../../adapters/telemetry/logs.ts'
import type { Observer } from '../../observe.ts'
import { printJsonText, type Terminal } from '../output/terminal.ts'

interface LogSettings {
  readonly log?: LogLevel | undefined
  readonly accessLog?: boolean | undefined
  readonly logText?: boolean | undefined
}

/** A line for each search. @returns `undefined` if nothing is logged */
export function searchLog({ log, logText }: LogSettings, terminal: Terminal): Observer | undefined {
  if (log === undefined) return undefined
  return searchLogs({
    logger: lineLogger((line) => printJsonText(terminal, line), { level: log }),
    text: logText,
  })
}

/** Most characters of a path and of what follows it: both are the caller's. */
const maxText = 1000

/** A line for each request. @returns `undefined` if requests are not logged */
export function accessLog(
  { accessLog, logText }: LogSettings,
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
