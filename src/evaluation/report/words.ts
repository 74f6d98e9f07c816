/** Formats numbers for a report. No-break spaces keep a number and its unit together. */
import type { SystemComparison, Verdict } from '../comparison.ts'

/** Marks for verdicts, for readers who do not see the colors. */
export const marks = { better: ' ▲', worse: ' ▼', unclear: '' } as const satisfies Record<Verdict, string>

const nbsp = '\u00a0'

const three = { minimumFractionDigits: 3, maximumFractionDigits: 3 }
const decimals = new Intl.NumberFormat('en', three)
const signedDecimals = new Intl.NumberFormat('en', { ...three, signDisplay: 'exceptZero' })
const wholes = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

/** A system as people read it: the policy `none` is no Querent at all. */
export const systemName = (name: string): string => (name === 'none' ? 'without Querent' : name)

/** Formats a metric's value: `0.423`. */
export const decimal = (value: number): string => decimals.format(value)

/** Formats a difference with its sign: `+0.120`, `−0.031`, `0.000`. */
export const signed = (value: number): string => signedDecimals.format(value).replace('-', '−')

export const whole = (value: number): string => wholes.format(value)

export function pValue(p: number): string {
  if (p < 0.001) return `<${nbsp}0.001`
  // Near the common significance levels, a rounded value could fall on the wrong side.
  return p.toFixed(p < 0.1 ? 4 : 2)
}

/** `p = 0.03`, `p < 0.001`. */
export const pEquals = (p: number): string => `p${nbsp}${p < 0.001 ? '' : `=${nbsp}`}${pValue(p)}`

/** Formats a share from 0 to 1. Only an exact 0 becomes 0 %, and only an exact 1 becomes 100 %. */
export function percent(share: number): string {
  if (share > 0 && share < 0.005) return `<${nbsp}1${nbsp}%`
  if (share < 1 && share > 0.995) return `>${nbsp}99${nbsp}%`
  return `${whole(share * 100)}${nbsp}%`
}

/** Formats milliseconds without the unit. */
export const duration = (ms: number): string => (ms < 10 ? ms.toFixed(1) : whole(ms))

export const milliseconds = (ms: number): string => `${duration(ms)}${nbsp}ms`

/** Formats a count with its noun: `1 query`, `1,240 queries`. */
export const count = (value: number, one: string, many = `${one}s`): string =>
  `${whole(value)}${nbsp}${value === 1 ? one : many}`

/** ` (20 of 36 queries)` for the metric at `index`, if some of the system's queries have no value. Otherwise empty. */
export function scoredOf({ scores, summary }: SystemComparison, index: number): string {
  const { queries } = scores[index]!
  const all = count(summary.queries, 'query', 'queries')
  return queries === summary.queries ? '' : ` (${whole(queries)} of ${all})`
}
