/** The access log of `serve`: one of pino's lines on stdout for each request. */
import type { Answered } from '../../../adapters/apps/http/answered.ts'
import { lineLogger } from '../../../adapters/telemetry/logs.ts'
import { printJsonText, type Terminal } from '../output/terminal.ts'

/** Most characters of a path and of what follows it: both are the caller's. */
const maxText = 1000

interface AccessLogSettings {
  readonly accessLog?: boolean | undefined
  readonly logText?: boolean | undefined
}

/** @returns `undefined` if requests are not logged */
export function accessLog(
  { accessLog, logText }: AccessLogSettings,
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
