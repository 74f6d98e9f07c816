/** A model's order of passages: `[3] > [1] > [2]`, or JSON, with or without words around it. */
import { taggedAnswer } from '../../src/completion/final-answer.ts'
import { unfenced } from '../../src/completion/lines.ts'

/** Emphasis, code, quotes and escapes: `**[3]**`, `["3", "1"]`. */
const decoration = /[*_`"'\\]/g
/** What a list has before its items: `1. [3]`, `- [3]`. */
const itemMark = /^[ \t]*(?:\d{1,4}[.)]|[-+•])[ \t]*(?=\[)/gm

const number = String.raw`\[\s*\d{1,4}\s*\]`
/** Says that a passage comes before another one. */
const sign = String.raw`\s*[-=]*[>≥≻→⇒]+=?\s*`

/**
 * The forms of an order, those that can hardly be anything else first: `[3] > [1] = [2]` and JSON, `[3, 1]` or `[[3], [1]]`; then
 * `3 > 1`, which may be part of a sentence; and last mere lists, such as `[3], [1]` or one a line, which sentences about passages
 * have, too.
 */
const forms = [
  String.raw`${number}(?:${sign}(?:${number}\s*=\s*)*${number})+|\[[\d\s.,>]*\]|\[\s*${number}(?:\s*,\s*${number})*\s*\]`,
  String.raw`\b\d{1,4}(?:${sign}\d{1,4})+\b`,
  String.raw`${number}(?:\s*(?:[=,;|]\s*)?${number})+`,
].map((form) => new RegExp(form, 'g'))

/** A passage that is named in a sentence. */
const mention = new RegExp(String.raw`${number}|\b(?:passages?|documents?)\s+\d{1,4}`, 'gi')

/**
 * Reads the places of passages, from 0, best first. Unknown and repeated numbers are dropped. Of several orders of a form, the
 * longest counts, and the last of equally long ones: models that think aloud end with their answer. A passage that is named
 * alone is an order only if no other is named, since words around an order name passages too.
 *
 * @param count how many passages there are; the model counts them from 1
 * @throws Error if there is no order
 */
export function parseOrder(text: string, count: number): readonly number[] {
  const answer = unfenced(taggedAnswer(text) ?? text)
    .replace(decoration, '')
    .replace(itemMark, '')
  for (const form of forms) {
    const order = longest(rowsIn(answer, form).map((numbers) => placesOf(numbers, count)))
    if (order.length > 0) return order
  }
  const named = placesOf((answer.match(mention) ?? []).flatMap(numbersIn), count)
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
