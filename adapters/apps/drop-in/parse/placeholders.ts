/** Explicit slots: each string of a body that is exactly `{{query}}` stands for the query text. */

import { isStrict, isTyping, stillTyped, typingClauses, vector } from './clauses.ts'
import {
  maxPlaces,
  type NoQueryText,
  type QueryText,
  readSections,
  tooMany,
  whyStrict,
} from './find-query-text.ts'
import {
  isObject,
  isSyntax,
  type JsonObject,
  type Path,
  valueAt,
  withoutOperators,
  withValue,
} from './json.ts'
import { rankingOf } from './ranking.ts'

/** The placeholder for the query text. */
const placeholder = '{{query}}'

/**
 * Clauses that would read inserted text as syntax. The application answers for its user's text, but nothing checks a model's
 * text.
 */
const syntaxes = ['query_string', 'simple_query_string', 'script']

/** Finds the places of the placeholder, for a query text that the caller passed next to the body. */
export function findSlots(body: JsonObject, text: string): QueryText | NoQueryText {
  const slots = slotsIn(body)
  if (slots.length === 0) return { reason: `it has no \`${placeholder}\`` }
  if (slots.length > maxPlaces) return { reason: tooMany }
  if (slots.some((path) => completes(body, path))) return { reason: stillTyped }
  const syntax = syntaxes.find((name) => slots.some((path) => path.includes(name)))
  if (syntax !== undefined) return { reason: `words in its \`${syntax}\` would be syntax` }
  const places = slots.map((slot) => ({ slot, isStrict: isStrict(valueAt(body, slot.slice(0, -1))) }))
  const fixed = whyStrict(body, places)
  const found = readSections(body, () => undefined)
  return {
    text,
    slots,
    fields: [],
    unknown: [],
    vectors: [],
    ...(fixed !== undefined && { fixed }),
    // Of a clause that is not read, the order stays.
    ranking:
      'reason' in found
        ? { isFuzzy: false, factors: [{ path: [], way: 'hides' }] }
        : rankingOf(body, found.clauses, (words) => words === placeholder || words === vector),
  }
}

/** Whether the clause around a place completes its last word. */
function completes(body: JsonObject, path: Path): boolean {
  if (typingClauses.some((name) => path.includes(name))) return true
  const clause = valueAt(body, path.slice(0, -1))
  return isObject(clause) && isTyping(clause.type)
}

/** Whether a body has a place for a query text that the caller passes next to it. */
export const hasPlaceholder = (body: unknown): boolean => isObject(body) && slotsIn(body).length > 0

/**
 * The body with the query text that the caller passed next to it, for a search that is not optimized. Undefined if it has no such
 * text or no placeholder.
 */
export function filled(body: unknown, text: string | undefined): JsonObject | undefined {
  if (text === undefined || !isObject(body)) return undefined
  const slots = slotsIn(body)
  return slots.length === 0 ? undefined : fill(body, slots, text)
}

/** The body with this text in every slot. */
export const fill = (body: JsonObject, slots: readonly Path[], text: string): JsonObject =>
  filledBy(body, slots, () => text)

/** The same for a text that the caller did not write. Removes operators in places that the engine reads as syntax. */
export const fillPlain = (body: JsonObject, slots: readonly Path[], text: string): JsonObject =>
  filledBy(body, slots, (path) => (isSyntax(path) ? withoutOperators(text) : text))

const filledBy = (body: JsonObject, slots: readonly Path[], textAt: (path: Path) => string): JsonObject =>
  slots.reduce<JsonObject>((filled, path) => withValue(filled, path, textAt(path)) as JsonObject, body)

/** Engines refuse deeper nesting. */
const deepest = 1000

function slotsIn(body: JsonObject): readonly Path[] {
  const slots: Path[] = []
  const visit = (value: unknown, path: Path): void => {
    if (path.length > deepest) return
    if (value === placeholder) slots.push(path)
    else if (Array.isArray(value)) for (const [place, item] of value.entries()) visit(item, [...path, place])
    else if (isObject(value)) for (const [key, item] of Object.entries(value)) visit(item, [...path, key])
  }
  visit(body, [])
  return slots
}
