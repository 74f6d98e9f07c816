/** Makes the search body for a text: from fields, or from your own body with `{{query}}` in place of the text. */
import { isObject } from '../../../src/runtime/json.ts'

const slot = '{{query}}'

/** Makes the search body for a text. */
export type Template = (text: string) => Readonly<Record<string, unknown>>

/** How to combine the fields. */
export type MultiMatchType = 'best_fields' | 'most_fields' | 'cross_fields'

/** `match` for one field, `multi_match` for several. A field may have a boost: `title^2`. */
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
 * Your own body. The text replaces `{{query}}` in all its strings. The body is parsed first, so the text cannot change its
 * structure.
 */
export function bodyTemplate(body: Readonly<Record<string, unknown>>): Template {
  return (text) => filled(body, text) as Readonly<Record<string, unknown>>
}

/** How often `{{query}}` occurs in a body. */
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
