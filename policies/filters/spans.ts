/** Parts of a query: phrases among its tokens, and the names of fields around them. */
import type { Condition } from '../../src/types.ts'
import type { Field } from './fields.ts'
import type { Token } from './tokens.ts'

/** A condition that was read from tokens `from` to `to`, the last one excluded. */
export interface Reading {
  readonly field: Field
  readonly condition: Condition
  readonly from: number
  readonly to: number
}

/** Whether these words stand at a place. */
export const standsAt = (tokens: readonly Token[], place: number, words: readonly string[]): boolean =>
  place >= 0 &&
  place + words.length <= tokens.length &&
  words.every((word, at) => tokens[place + at]!.norm === word)

const negations: ReadonlySet<string> = new Set(
  'not nothing never cannot cant dont doesnt didnt shouldnt wont isnt couldnt wouldnt'.split(' '),
)

/** Words between a negation and what it negates: "can't spend more than", "does not cost more than". */
const verbs: ReadonlySet<string> = new Set(
  'cost costs costing spend spending pay paying be been is are go going want to weigh weighing priced released made'.split(
    ' ',
  ),
)

/** Where the negation of what begins at a place begins, if it is negated. */
export function negationBefore(tokens: readonly Token[], place: number): number | undefined {
  let at = place
  while (at > 0 && verbs.has(tokens[at - 1]!.norm)) at--
  return negations.has(tokens[at - 1]?.norm ?? '') ? at - 1 : undefined
}

/** Behind the words that only link a name to what is said of it. */
export function behindLinks(tokens: readonly Token[], place: number): number {
  let at = place
  while (links.has(tokens[at]?.norm ?? '')) at++
  return at
}

/** Words between a field's name and what is said of it: "price: under 50", "rating of at least 4". */
const links: ReadonlySet<string> = new Set(['is', 'are', 'of', 'at', ':', '=', 'a', 'the'])

/** Words that only lead to what follows, and say nothing without it. */
const leads: ReadonlySet<string> = new Set(
  'for with priced costing costs cost rated sized released made published that which and but is are from by in at of'.split(
    ' ',
  ),
)

/** The field whose name stands before a place, and where the name begins. Of several, the longest name. */
export function nameBefore(
  tokens: readonly Token[],
  place: number,
  fields: readonly Field[],
): { readonly field: Field; readonly from: number } | undefined {
  let end = place
  while (end > 0 && links.has(tokens[end - 1]!.norm)) end--
  // A name may itself be such a word.
  return (
    nameAt(tokens, fields, (length) => place - length) ?? nameAt(tokens, fields, (length) => end - length)
  )
}

/** The field whose name stands at a place, and where the name ends. */
export function nameAfter(
  tokens: readonly Token[],
  place: number,
  fields: readonly Field[],
): { readonly field: Field; readonly to: number } | undefined {
  const found = nameAt(tokens, fields, () => place)
  // Behind a span, "for" and "from" lead to what follows.
  if (found?.length === 1 && leads.has(tokens[place]!.norm)) return undefined
  return found && { field: found.field, to: place + found.length }
}

function nameAt(
  tokens: readonly Token[],
  fields: readonly Field[],
  startOf: (length: number) => number,
): { readonly field: Field; readonly from: number; readonly length: number } | undefined {
  const found = fields.flatMap((field) =>
    field.names.flatMap((name) => {
      const from = startOf(name.length)
      return standsAt(tokens, from, name) ? [{ field, from, length: name.length }] : []
    }),
  )
  const longest = Math.max(0, ...found.map(({ length }) => length))
  const best = found.filter(({ length }) => length === longest)
  return new Set(best.map(({ field }) => field)).size === 1 ? best[0] : undefined
}

/** Where a span begins once the words that only lead to it are part of it. */
export function withLeads(tokens: readonly Token[], from: number): number {
  let start = from
  while (start > 0 && leads.has(tokens[start - 1]!.norm)) start--
  return start
}
