/** A model's order of passages: `[3] > [1] > [2]`, or JSON, with or without words around it. */

/** Two or more numbers in a row: `[3] > [1]`, or without brackets; JSON lists. */
const bracketed = /\[\s*\d{1,4}\s*\](?:\s*>\s*\[\s*\d{1,4}\s*\])+/g
const bare = /\b\d{1,4}(?:\s*>\s*\d{1,4})+\b/g
const array = /\[[^[\]{}]*\]/g

/**
 * Reads the places of passages, from 0, best first. Unknown and repeated numbers are dropped. Of several orders in a text, the
 * longest counts, and the last of equally long ones: models that think aloud end with their answer.
 *
 * @param count how many passages there are; the model counts them from 1
 * @throws Error if no passage is named
 */
export function parseOrder(text: string, count: number): readonly number[] {
  const answer = text.replace(/^[\s\S]*<\/think>/, '')
  const orders = [
    [...arraysIn(answer), ...numbersIn(answer, bracketed)],
    // The bracketed ones first: "5 > 3" may be part of a sentence.
    numbersIn(answer, bare),
  ]
  for (const found of orders) {
    const order = longest(found.map((numbers) => placesOf(numbers, count)))
    if (order.length > 0) return order
  }
  throw new Error(`it has no order of the passages 1 to ${count} such as [2] > [1]`)
}

const numbersIn = (text: string, pattern: RegExp): number[][] =>
  Array.from(text.matchAll(pattern), ([found]) => found.match(/\d+/g)!.map(Number))

/** JSON lists of numbers, alone or in an object: `{"order": [3, 1, 2]}`, `["3", "1"]`. */
const arraysIn = (text: string): number[][] =>
  Array.from(text.matchAll(array), ([found]) => {
    try {
      return (JSON.parse(found) as unknown[]).map(Number)
    } catch {
      return []
    }
  })

const placesOf = (numbers: readonly number[], count: number): number[] => [
  ...new Set(
    numbers
      .filter((number) => Number.isInteger(number) && number >= 1 && number <= count)
      .map((number) => number - 1),
  ),
]

const longest = (orders: readonly (readonly number[])[]): readonly number[] =>
  orders.reduce((best, order) => (order.length >= best.length ? order : best), [])
