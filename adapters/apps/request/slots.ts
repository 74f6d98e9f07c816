/** The explicit slot: every text of a body that is `{{query}}` and nothing else stands for the user’s words. */
import { isObject, type JsonObject, type Path, withValue } from './json.ts'
import type { NoWords, Words } from './words.ts'

/** What stands where the words go. */
export const slot = '{{query}}'

/** The places of the slot, for words that are told beside the body. */
export function findSlots(body: JsonObject, text: string): Words | NoWords {
  const slots: Path[] = []
  const visit = (value: unknown, path: Path): void => {
    if (value === slot) slots.push(path)
    else if (Array.isArray(value)) for (const [place, item] of value.entries()) visit(item, [...path, place])
    else if (isObject(value)) for (const [key, item] of Object.entries(value)) visit(item, [...path, key])
  }
  visit(body, [])
  return slots.length === 0 ? { reason: `it has no ${slot}` } : { text, slots, fields: [] }
}

/** The body with these words in every slot: nothing else differs. */
export const fill = (body: JsonObject, slots: readonly Path[], text: string): JsonObject =>
  slots.reduce<JsonObject>((filled, path) => withValue(filled, path, text) as JsonObject, body)
