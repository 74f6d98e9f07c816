/** Numbers and decisions as the page writes them. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`

/** Three digits are enough to compare. */
export function milliseconds(ms: number): string {
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`
  return ms >= 10 || ms === 0 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`
}

export const percent = (share: number): string => {
  const rounded = Math.round(100 * share)
  return rounded === 0 && share > 0 ? '<1 %' : `${rounded} %`
}

/** A score with four digits. */
export const score = (value: number): string => String(Number(value.toPrecision(4)))

export const kindWords = { 'as-is': 'unchanged', rewrite: 'rewritten', decompose: 'split' } as const
