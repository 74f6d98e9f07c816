/** A model's order of passages: `[3] > [1] > [2]`, or JSON, with or without words around it. */

/** Emphasis, code, quotes and escapes: `**[3]**`, `["3", "1"]`. */
const decoration = /[*_`"'\\]/g
/** What a list has before its items: `1. [3]`, `- [3]`. */
const itemMark = /^[ \t]*(?:\d{1,4}[.)]|[-+•])[ \t]*(?=\[)/gm

/** Joined by signs, as in `[3] > [1]`, `[3], [1]` and `[[3], [1]]`; or all in one pair of brackets, as in `[3, 1]`. */
const bySigns = /\[\s*\d{1,4}\s*\](?:\s*(?:[-=]*[>≥≻→⇒]+=?|[=,;|])\s*\[\s*\d{1,4}\s*\])+|\[[\d\s.,>]*\]/g
const byBlanks = /\[\s*\d{1,4}\s*\](?:\s*\[\s*\d{1,4}\s*\])+/g
const bare = /\b\d{1,4}(?:\s*[-=]*[>≥≻→⇒]+=?\s*\d{1,4})+\b/g

/**
 * Reads the places of passages, from 0, best first. Unknown and repeated numbers are dropped. Of several orders in a text, the
 * longest counts, and the last of equally long ones: models that think aloud end with their answer. A passage that is named
 * alone is an order only if no other is named, since words around an order name passages too.
 *
 * @param count how many passages there are; the model counts them from 1
 * @throws Error if there is no order
 */
export function parseOrder(text: string, count: number): readonly number[] {
  const answer = text
    .replace(/^[\s\S]*<\/think>/, '')
    .replace(decoration, '')
    .replace(itemMark, '')
  const orders = [
    // Of equally long ones, signs say more than blanks, which may stand between an order and the sentence before it.
    [...rowsIn(answer, byBlanks), ...rowsIn(answer, bySigns)],
    // After those in brackets: "5 > 3" may be part of a sentence.
    rowsIn(answer, bare),
  ]
  for (const rows of orders) {
    const order = longest(rows.map((numbers) => placesOf(numbers, count)))
    if (order.length > 0) return order
  }
  const named = placesOf(numbersIn(answer), count)
  if (named.length === 1 && answer.includes(`[${named[0]! + 1}]`)) return named
  throw new Error(`it has no order of the passages 1 to ${count} such as [2] > [1]`)
}

/** The numbers of each match that has several. */
const rowsIn = (text: string, pattern: RegExp): number[][] =>
  Array.from(text.matchAll(pattern), ([row]) => numbersIn(row)).filter((row) => new Set(row).size > 1)

const numbersIn = (text: string): number[] => (text.match(/\d+(?:\.\d+)?/g) ?? []).map(Number)

const placesOf = (numbers: readonly number[], count: number): number[] => [
  ...new Set(
    numbers
      .filter((number) => Number.isInteger(number) && number >= 1 && number <= count)
      .map((number) => number - 1),
  ),
]

const longest = (orders: readonly (readonly number[])[]): readonly number[] =>
  orders.reduce((best, order) => (order.length >= best.length ? order : best), [])
