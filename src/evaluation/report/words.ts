/** Formats numbers for a report. No-break spaces keep a number and its unit together. */
import type { SystemComparison, Verdict } from '../comparison.ts'

/** Marks for verdicts, for readers who do not see the colors. */
export const marks = { better: ' ▲', worse: ' ▼', unclear: '' } as const satisfies Record<Verdict, string>

const nbsp = '\u00a0'

const decimals = new Intl.NumberFormat('en', { minimumFractionDigits: 3, maximumFractionDigits: 3 })
const signedDecimals = new Intl.NumberFormat('en', {
  minimumFractionDigits: 3,
  maximumFractionDigits: 3,
  signDisplay: 'exceptZero',
})
const wholes = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

/** A system as people read it: the policy `none` is no Querent at all. */
export const systemName = (name: string): string => (name === 'none' ? 'without Querent' : name)

/** Formats a metric's value: `0.423`. */
export function decimal(value: number): string {
  return decimals.format(value)
}

/** Formats a difference with its sign: `+0.120`, `−0.031`, `0.000`. */
export function signed(value: number): string {
  return signedDecimals.format(value).replace('-', '−')
}

export function pValue(p: number): string {
  if (p < 0.001) return `<${nbsp}0.001`
  // Near the common significance levels, a rounded value could fall on the wrong side.
  return p.toFixed(p < 0.1 ? 4 : 2)
}

/** `p = 0.03`, `p < 0.001`. */
export function pEquals(p: number): string {
  return `p${nbsp}${p < 0.001 ? '' : `=${nbsp}`}${pValue(p)}`
}

/** Formats a share from 0 to 1. Only an exact 0 becomes 0 %, and only an exact 1 becomes 100 %. */
export function percent(share: number): string {
  if (share > 0 && share < 0.005) return `<${nbsp}1${nbsp}%`
  if (share < 1 && share > 0.995) return `>${nbsp}99${nbsp}%`
  return `${wholes.format(share * 100)}${nbsp}%`
}

/** Formats milliseconds without the unit. */
export function duration(ms: number): string {
  return ms < 10 ? ms.toFixed(1) : wholes.format(ms)
}

export function milliseconds(ms: number): string {
  return `${duration(ms)}${nbsp}ms`
}

/** Formats a count with its noun: `1 query`, `1,240 queries`. */
export function count(value: number, one: string, many: string = `${one}s`): string {
  return `${wholes.format(value)}${nbsp}${value === 1 ? one : many}`
}

export function whole(value: number): string {
  return wholes.format(value)
}

/** ` (20 of 36 queries)` for the metric at `index`, if some of the system's queries have no value. Otherwise empty. */
export function scoredOf({ scores, summary }: SystemComparison, index: number): string {
  const { queries } = scores[index]!
  return queries === summary.queries
    ? ''
    : ` (${wholes.format(queries)} of ${count(summary.queries, 'query', 'queries')})`
}

/** Joins words: `a`, `a and b`, `a, b and c`. */
export function enumerate(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
