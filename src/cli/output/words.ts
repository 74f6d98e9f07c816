/** Numbers, sizes, durations and texts as people read them. */
import { oneLine } from '../../text/one-line.ts'

/** A number with its noun: `1 document`, `2 documents`. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`

/** `1 query`, `2 queries`. */
export const queryCount = (number: number): string => count(number, 'query', 'queries')

/** How far a hit came from its rank in the results of the user's words alone: `▲ 51 from 54`, `▲ new`; nothing if it stayed. */
export function movement(rank: number, alone: number | undefined): string {
  if (alone === undefined) return '▲ new'
  if (alone === rank) return ''
  return alone > rank ? `▲ ${alone - rank} from ${alone}` : `▼ ${rank - alone} from ${alone}`
}

/** A share with one digit: `12.5 %`. */
export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

/** `+0.012`, `−0.012`. */
export const signed = (part: number, digits = 3): string =>
  `${part < 0 ? '−' : '+'}${Math.abs(part).toFixed(digits)}`

/** A size for people: `3 kB`, `4.2 MB`, `1.5 GB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const

/**
 * Milliseconds of `3000`, `500ms`, `5s`, `2m` or `1h`; a plain number is milliseconds. `undefined` for zero and for anything
 * else.
 */
export function parseDuration(value: string | number): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)?$/.exec(String(value).trim())
  if (match === null) return undefined
  const ms = Number(match[1]) * unitMs[(match[2] ?? 'ms') as keyof typeof unitMs]
  return ms > 0 && Number.isFinite(ms) ? ms : undefined
}

/** A duration for people: `350 ms`, `4.2 s`, `3 min 20 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${seconds % 60} s`
}

/** A text on one line for people: its first words if it is longer than `longest` characters. */
export function clip(text: string, longest = 120): string {
  // A book is cut before its white space is normalized.
  const line = oneLine(text.slice(0, 4 * longest))
  if (line.length <= longest) return line
  const space = line.lastIndexOf(' ', longest)
  return `${line.slice(0, space > 0 ? space : longest)} …`
}

const line = '*'.repeat(78)

/** Lines that nobody should overlook. */
export const framed = (...lines: readonly string[]): string[] => [line, ...lines, line]
