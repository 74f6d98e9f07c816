/** The explicit slot: every text of a body that is `{{query}}` and nothing else stands for the user’s words. */
import { isObject, type JsonObject, type Path, withValue } from './json.ts'
import { mostPlaces, type NoWords, tooMany, type Words } from './words.ts'

/** What stands where the words go. */
const slot = '{{query}}'

/** Words in these would be syntax: those of a user are an application’s to answer for, those of a model nobody’s. */
const syntaxes = ['query_string', 'simple_query_string', 'script']

/** The places of the slot, for words that are told beside the body. */
export function findSlots(body: JsonObject, text: string): Words | NoWords {
  const slots = slotsIn(body)
  if (slots.length === 0) return { reason: `it has no ${slot}` }
  if (slots.length > mostPlaces) return { reason: tooMany }
  const syntax = syntaxes.find((name) => slots.some((path) => path.includes(name)))
  return syntax === undefined
    ? { text, slots, fields: [] }
    : { reason: `words in a ${syntax} would be syntax` }
}

/** A body with the words that were told beside it, as it is searched where it is not optimized. */
export function filled(body: unknown, text: string | undefined): JsonObject | undefined {
  if (text === undefined || !isObject(body)) return undefined
  const slots = slotsIn(body)
  return slots.length === 0 ? undefined : fill(body, slots, text)
}

/** The body with these words in every slot: nothing else differs. */
export const fill = (body: JsonObject, slots: readonly Path[], text: string): JsonObject =>
  slots.reduce<JsonObject>((filled, path) => withValue(filled, path, text) as JsonObject, body)

/** Engines read nothing that is nested more deeply. */
const deepest = 1000

function slotsIn(body: JsonObject): readonly Path[] {
  const slots: Path[] = []
  const visit = (value: unknown, path: Path): void => {
    if (path.length > deepest) return
    if (value === slot) slots.push(path)
    else if (Array.isArray(value)) for (const [place, item] of value.entries()) visit(item, [...path, place])
    else if (isObject(value)) for (const [key, item] of Object.entries(value)) visit(item, [...path, key])
  }
  visit(body, [])
  return slots
}
