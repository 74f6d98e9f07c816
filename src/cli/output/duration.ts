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
