/** Whether a text asks something, or tells it: "which" and "is" stand in statements, too. */

const words = (list: string): readonly string[] => list.split(' ')

const auxiliaries = words(
  'is are was were am do does did has have had can could shall should may might will would ' +
    'isn aren wasn weren doesn didn hasn haven hadn couldn shouldn wouldn won',
)
const asking = words('who whom whose what which why how whats whos whens wheres whys hows when where')
/** They begin statements as well: "when heated, metals expand". */
const conditions = words('when where')
const commanding = words('tell give explain describe compare')
/** They are nouns as well: "list of rivers". */
const alsoNouns = words('name list find show')
const objects = words('me us the a an all every each some this that two three four five')
const openings = words('and but so then also or ok okay please now hi hello hey well yes no thanks')
/** What may stand before the word that asks: "in which year". */
const leading = words('in on at of for from to by with about under after before during since until')

/** What closes a sentence may follow. No question mark is among that, so that looking for it takes linear time. */
const questionMark = /[?？؟‽][\s\p{Pe}\p{Pf}"'!！.…]*$/u
/** "What" asks behind a preposition, where a clause begins, and before a verb of the question: not in "that is what happens". */
const what = new RegExp(
  `(?:^|[.,;:!]\\s*|\\b(?:${leading.join('|')})\\s+)what\\b|\\bwhat\\s+(?:to|${auxiliaries.join('|')})\\b`,
  'iu',
)
/** Characters whose words are read. */
const longest = 1000
const word = /[\p{L}\p{N}]+/gu

/**
 * A text asks that ends with a question mark, whose first words ask or command ("and in which year did …"), or in which "what"
 * asks. English; bare keywords, and questions of other languages without a mark, count as statements.
 */
export function asks(text: string): boolean {
  if (questionMark.test(text)) return true
  const head = text.slice(0, longest)
  if (what.test(head)) return true
  const given: readonly string[] = head.match(word) ?? []
  const lower = given.map((one) => one.toLowerCase())
  const first = lower.findIndex((one) => !openings.includes(one))
  if (first < 0 || isName(given, first)) return false
  const [one, next = ''] = lower.slice(first)
  if (conditions.includes(one!)) return auxiliaries.includes(next)
  if (alsoNouns.includes(one!)) return objects.includes(next)
  return (
    asking.includes(one!) ||
    auxiliaries.includes(one!) ||
    commanding.includes(one!) ||
    (leading.includes(one!) && asking.includes(next))
  )
}

/** Abbreviations such as WHO, and names such as Will Smith and Can Tho, are no words that ask. */
function isName(given: readonly string[], place: number): boolean {
  const [one, next = ''] = given.slice(place)
  const isCapital = (text: string): boolean => /^\p{Lu}/u.test(text)
  if (/^\p{Lu}{2,}$/u.test(one!)) return given.some((other) => other !== other.toUpperCase())
  return (one === 'Will' || one === 'Can') && isCapital(next)
}
