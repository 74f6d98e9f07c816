/** Conditions in words. */
import type { Condition, FieldValue, ReadFilter } from './types.ts'

const signs = { gt: '>', gte: '≥', lt: '<', lte: '≤' } as const

/** `price < 50`, `brand is "Acme" or "Globex"`. */
export const conditionWords = ({ field, is, not, ...range }: Condition): string =>
  [
    ...(is === undefined ? [] : [`${field} is ${valueWords(is)}`]),
    ...(not === undefined ? [] : [`${field} is not ${valueWords(not)}`]),
    ...Object.entries(signs).flatMap(([name, sign]) => {
      const bound = range[name as keyof typeof signs]
      return bound === undefined ? [] : [`${field} ${sign} ${bound}`]
    }),
  ].join(' and ')

const valueWords = (values: readonly FieldValue[]): string =>
  values.map((value) => (typeof value === 'string' ? JSON.stringify(value) : String(value))).join(' or ')

const reasons = {
  empty: 'nothing passes it',
  unsupported: 'no retriever can apply it',
  failed: 'its search failed or was late',
} as const

/** `"under 50 euros": price < 50`, and why it was dropped, if it was. */
export const filterWords = ({ words, condition, dropped }: ReadFilter): string =>
  `"${words}": ${conditionWords(condition)}${dropped === undefined ? '' : ` (dropped: ${reasons[dropped]})`}`
