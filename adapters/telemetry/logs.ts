/**
 * One line of a structured log for each search. The logger is pino, or any other that takes fields and a message.
 *
 * @module querent/logs
 */
import { z } from 'zod'
import { having, parseConfig } from '../../src/config.ts'
import { codeOf } from '../../src/errors.ts'
import type { Observer, SearchReport } from '../../src/observe.ts'
import type { Times, Trace } from '../../src/types.ts'

/** The methods of pino that are used. */
export interface SearchLogger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface SearchLogsOptions {
  readonly logger: SearchLogger
  /** Whether lines hold the query, the sub-queries and the messages of errors, which may repeat them. Default: false. */
  readonly text?: boolean | undefined
}

/** Levels, with the numbers of pino. */
export const logLevels = { debug: 20, info: 30, warn: 40, error: 50 } as const
export type LogLevel = keyof typeof logLevels

/** Most characters of what a caller wrote, or of a reason, in which it may stand. */
const longest = 200
const cut = (text: string): string => text.slice(0, longest)

const optionsSchema = z.strictObject({
  logger: having<SearchLogger>('a logger', 'debug', 'info', 'warn', 'error'),
  text: z.boolean().default(false),
})

/**
 * @returns an observer, for `observe` of an optimizer, a search, a wrapped client or a proxy
 * @throws QuerentError `bad-config` that names the wrong option
 */
export function searchLogs(options: SearchLogsOptions): Observer {
  const { logger, text } = parseConfig(optionsSchema, options, 'searchLogs')
  return {
    onSearch: (report) => logger[levelOf(report)](fieldsOf(report, text), messageOf(report)),
  }
}

/** A logger that writes pino's lines: JSON with the number of the level, the time in milliseconds since 1970, and `msg`. */
export function lineLogger(
  write: (line: string) => void,
  { level = 'info', now = Date.now }: { readonly level?: LogLevel; readonly now?: () => number } = {},
): SearchLogger {
  const logAs = (name: LogLevel) => (fields: object, msg: string) => {
    if (logLevels[name] >= logLevels[level])
      write(JSON.stringify({ level: logLevels[name], time: now(), ...fields, msg }))
  }
  return { debug: logAs('debug'), info: logAs('info'), warn: logAs('warn'), error: logAs('error') }
}

function levelOf({ trace, error, aborted, outcome, status }: SearchReport): LogLevel {
  if (aborted === true) return 'info'
  if (error !== undefined) return 'error'
  // An engine that is at its limits is of interest to its operators, a mistake of a caller less so.
  if (status !== undefined) return status === 429 ? 'warn' : 'info'
  if (outcome?.kind === 'passed through') return 'debug'
  return trace?.fallback !== undefined || trace?.partial === true || failedAsk(trace) ? 'warn' : 'info'
}

/** The code of a prompt that the policy, or one in its place, went on without. */
const failedAsk = (trace: Trace | undefined): string | undefined =>
  trace?.fallback === undefined
    ? trace?.steps.flatMap((step) => (step.type === 'ask' ? (step.error?.code ?? []) : []))[0]
    : undefined

function messageOf({ trace, error, aborted, outcome }: SearchReport): string {
  if (aborted === true) return 'search aborted'
  if (outcome !== undefined) return `search ${outcome.kind}`
  if (error !== undefined) return 'search failed'
  if (trace?.fallback !== undefined) return 'search fell back'
  return trace?.partial === true ? 'search is partial' : 'search'
}

function fieldsOf(
  { search, trace, error, outcome, index, opaqueId, status, interleaved }: SearchReport,
  text: boolean,
): object {
  const code = error && codeOf(error)
  const ask = failedAsk(trace)
  return {
    ...(search !== undefined && { policy: search.policy, ...(text && { query: search.query.text }) }),
    ...(outcome !== undefined && { outcome: outcome.kind }),
    ...(outcome?.reason !== undefined && { reason: cut(outcome.reason) }),
    ...(index !== undefined && { index: cut(index) }),
    ...(opaqueId !== undefined && { opaqueId: cut(opaqueId) }),
    ...(status !== undefined && { status }),
    ...(interleaved !== undefined && { interleaved }),
    ...(error !== undefined && {
      error: {
        type: error.name,
        ...(code !== undefined && { code }),
        ...(text && { message: error.message }),
      },
    }),
    ...(trace !== undefined && {
      decision: trace.kind,
      ...(text ? { subQueries: trace.subQueries.map((one) => one.text) } : {}),
      hits: trace.outcome.hits.length,
      partial: trace.partial,
      ...(ask !== undefined && { failedAsk: ask }),
      ...(trace.fallback !== undefined && {
        fallback: { code: trace.fallback.code, ...(text && { message: trace.fallback.message }) },
      }),
      ms: rounded(trace.times),
      tokens: trace.tokens,
    }),
  }
}

/** Milliseconds with three digits: a log is read by people, too. */
const rounded = (times: Times): object =>
  Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, Math.round(ms * 1000) / 1000]))
