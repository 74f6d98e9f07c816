/** The search body of a text: made of fields, or one's own with `{{query}}` where the text goes. */
import { isObject } from './object.ts'

const slot = '{{query}}'

/** A search body with the text in its place. */
export type Template = (text: string) => Readonly<Record<string, unknown>>

/** How the fields are searched together. */
export type MultiMatchType = 'best_fields' | 'most_fields' | 'cross_fields'

/** `match` for one field, `multi_match` for several. A field may carry a boost: `title^2`. */
export function fieldsTemplate(fields: readonly string[], type: MultiMatchType | undefined): Template {
  const [, field, boost] = /^(.*?)(?:\^([\d.]+))?$/.exec(fields[0]!)!
  if (fields.length === 1 && type === undefined) {
    return (query) => ({
      query: { match: { [field!]: { query, ...(boost !== undefined && { boost: Number(boost) }) } } },
    })
  }
  return (query) => ({ query: { multi_match: { query, fields, ...(type && { type }) } } })
}

/**
 * A body of one's own: the text takes the place of `{{query}}` inside strings, wherever they stand, and of nothing else. It is
 * put into what has been parsed, so that nothing in it is syntax of JSON.
 */
export function bodyTemplate(body: Readonly<Record<string, unknown>>): Template {
  return (text) => filled(body, text) as Readonly<Record<string, unknown>>
}

/** How often the text stands in a body. */
export function slotsIn(value: unknown): number {
  if (typeof value === 'string') return value.split(slot).length - 1
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + slotsIn(one), 0)
  return isObject(value) ? slotsIn(Object.values(value)) : 0
}

function filled(value: unknown, text: string): unknown {
  if (typeof value === 'string') return value.split(slot).join(text)
  if (Array.isArray(value)) return value.map((one) => filled(one, text))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, text)]))
}
