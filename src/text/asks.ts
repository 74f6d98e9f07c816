/** Whether a text asks something, or tells it: "which" and "is" stand in statements, too. */

const asking = new Set(
  'who whom whose what which when where why how is are was were do does did can could should would will has have'.split(
    ' ',
  ),
)
const commanding = new Set('tell give name list find show explain describe compare'.split(' '))
const openings = new Set('and but so then also or ok okay please now'.split(' '))
/** What may stand before the word that asks: "in which year". */
const leading = new Set(
  'in on at of for from to by with about under after before during since until'.split(' '),
)

const questionMark = /[?？؟][\s"'”’)\]]*$/u
/** Characters that are read. */
const longest = 1000
const word = /[\p{L}\p{N}]+/gu

/**
 * A text asks that ends with a question mark, that has a "what", or whose first words ask or command: "and in which year did …".
 * English.
 */
export function asks(text: string): boolean {
  if (questionMark.test(text)) return true
  const words: readonly string[] = text.slice(0, longest).toLowerCase().match(word) ?? []
  if (words.includes('what')) return true
  const first = words.findIndex((one) => !openings.has(one))
  if (first < 0) return false
  if (asking.has(words[first]!) || commanding.has(words[first]!)) return true
  const next = words[first + 1]
  return leading.has(words[first]!) && next !== undefined && asking.has(next)
}
