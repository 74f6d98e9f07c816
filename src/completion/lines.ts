/**
 * Completions as models write them. A prompt asks for lines, names, JSON or a few words, "and nothing else". Models put fences and
 * emphasis around them, labels and marks of lists before them, a sentence before or after; they write JSON where lines were asked for.
 * Every parser of a policy reads a completion through this file. Thoughts are gone before (`src/thoughts.ts`).
 */

/** How many opening braces are tried as the beginning of an object. Prose may contain braces. */
const maxBraces = 100

export const newline = /\r\n|[\n\r\u2028\u2029\u0085]/
const fence = /^\s*(?:`{3,}|~{3,})/
const emphasis = /(?<![\p{L}\p{N}*_`])([*_`]{1,3})(?=\S)([^*_`\n]+)\1(?![\p{L}\p{N}])/gu

const adjective =
  'the|my|final|short|correct|complete|search|retrieval|sub|next|relevant|selected|chosen|helpful|rewritten|standalone|new|best|knowledge|reasoning'
const noun =
  'first|second|third|fourth|finally|answer|query|queries|question|search|searches|step|q|action|route|decision|workflow|plan|document|selection|output|result|response|fact|triple|chain|gap|verdict|judgment|type|thought|reason|reasoning|explanation|rationale|justification|note|why|comment|purpose|confidence'
const known = new RegExp(`^(?:(?:${adjective})[ -]?)*(${noun})s?(?: is| are)?$`)
/** What stands beside that which was asked for: why it is so. */
const explaining =
  /^(?:thought|reason|reasoning|explanation|rationale|justification|note|why|comment|purpose|confidence)$/
/** A line that names what follows it. */
const named = /^(?:(?:sub|search)[ -]?)?(?:quer(?:y|ies)|questions?|answer|thought|action|workflow|step \d)$/i
const ordinal = /^(?:first|second|third|fourth|finally)$/
const explainedBehind = /\s[([]?(?:reason|reasoning|explanation|rationale|justification|note)\s?:/i

/** What a label says, without adjectives and number: "query" of "Search queries". `undefined` if it is none. */
export const labelOf = (words: string): string | undefined => {
  const plain = words.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ').replace(/[\s_]+/g, ' ')
  return known.exec(plain.trim().toLowerCase())?.[1]?.replace(/^(?:q|queries)$/, 'query')
}

/** The lines of JSON: keys that say what their value is are labels, the items of lists have marks, and so have values of other keys. */
function linesOfJson(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [`- ${value ?? ''}`]
  if (Array.isArray(value))
    return value.every((one) => typeof one === 'number')
      ? [`[${value.join(', ')}]`]
      : value.flatMap(linesOfJson)
  return Object.entries(value).flatMap(([key, one]) => {
    const lines = linesOfJson(one)
    if (labelOf(key.replace(/[_\s]?\d+$/, '')) === undefined) return lines
    const label = `${key.replaceAll('_', ' ')}:`
    const isOne = lines.length === 1 && (!Array.isArray(one) || lines[0]!.startsWith('['))
    return isOne ? [`${label} ${lines[0]!.replace(/^- /, '')}`] : [label, ...lines]
  })
}

/** The index after the object that begins at `start`, or -1. Ignores braces inside strings. */
function endOfObject(text: string, start: number): number {
  let [depth, inString] = [0, false]
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (inString) {
      if (character === '\\') at++
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '{') depth++
    else if (character === '}' && --depth === 0) return at + 1
  }
  return -1
}

/** Whether a key of it says what its value is. */
const isTelling = (object: unknown): boolean => linesOfJson(object).some((line) => !/^[-[]/.test(line))

/**
 * The JSON of a text: all of it, or the objects in its prose.
 *
 * @param isMeant which objects in prose. Default: those that have a key which says what its value is
 */
export function jsonIn(text: string, isMeant: (object: unknown) => boolean = isTelling): unknown[] {
  const parsed = (json: string): unknown => {
    try {
      return JSON.parse(json)
    } catch {
      return undefined
    }
  }
  const whole = /^\s*[[{]/.test(text)
    ? (parsed(text) ?? parsed(`[${text.trim().replace(/\}\s*\n\s*\{/g, '},{')}]`))
    : undefined
  if (whole !== undefined) return [whole]
  const found: unknown[] = []
  // No object begins behind the last brace that closes one.
  const last = text.lastIndexOf('}')
  let tries = 0
  for (
    let start = text.indexOf('{');
    start >= 0 && start < last && ++tries <= maxBraces;
    start = text.indexOf('{', start + 1)
  ) {
    const end = endOfObject(text, start)
    const object = end < 0 ? undefined : parsed(text.slice(start, end))
    if (object === undefined || !/"[^"]*"\s*:/.test(text.slice(start, end))) continue
    if (!isMeant(object)) continue
    found.push(object)
    start = end - 1
  }
  return found
}

const hasWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

/** What stands in code fences; the text if there are none. */
export function unfenced(completion: string): string {
  let isInside = false
  const parts: Record<'inside' | 'outside', string[]> = { inside: [], outside: [] }
  for (const line of completion.split(newline)) {
    if (fence.test(line)) {
      const only = line.trim().replace(/^[`~]+(?:(?:json|text|txt|markdown)\s)?/, '')
      if (hasWord(only) && /[`~]{3}$/.test(only)) parts.inside.push(only.replace(/(?<![`~])[`~]+$/, ''))
      else isInside = !isInside
    } else parts[isInside ? 'inside' : 'outside'].push(line)
  }
  const inside = parts.inside.join('\n')
  return hasWord(inside) ? inside : parts.outside.join('\n')
}

/** The text without emphasis, and with single blanks, so that reading it takes linear time. */
export const withoutEmphasis = (text: string): string =>
  text
    .replace(/[^\S\n]+/g, ' ')
    .replace(emphasis, '$2')
    .replaceAll('**', '')

/** The words of a text in lower case, a blank between them. */
export const wordsOf = (text: string): string =>
  text
    .replace(/[^\p{L}\p{N}/]+/gu, ' ')
    .trim()
    .toLowerCase()

/** The text without fences and emphasis, its lines ending in "\n". JSON is put as lines. */
export function plainText(completion: string): string {
  const text = unfenced(completion)
  const values = jsonIn(text)
  return withoutEmphasis(values.length === 0 ? text : values.flatMap(linesOfJson).join('\n'))
}

/** A line of a completion that has a word in it. */
export interface Line {
  /** What its label says that it is, such as "answer" or "query". Empty without a label. */
  readonly label: string
  /** Without mark, label and quotation marks. */
  readonly text: string
  /** Whether it has the mark of a list, or a label with a number. */
  readonly isListed: boolean
}

const bullet = String.raw`[-*+–—>]\s+|[•◦▪●·]\s*|\[[ x]?\]\s+`
const number = String.raw`[[(]?\d{1,2}[.:)\]](?:\s+|$)|\(?[a-h]\)\s+`
/** Marks of a list: "- ", "2.", "(2)". */
const marks = new RegExp(`^(?:${bullet}|${number})+`, 'i')
const labels = /^["'“(]?(\p{L}[\p{L} _-]{0,40}?)[ #]*(\d{0,2})["'”)]?\s?(?:[:：]|(?<=\d ?)[.)–-](?=\s))\s*/u

const interjection = /^(?:sure|okay|certainly|of course)(?: thing)?[!.:]\s+(?=\S)/i

/** A line without a comma of JSON, the quotation marks around all of it, and a reason behind it. */
function unquoted(text: string): string {
  const [, inside] = /^["'`_“‘](.+)["'`_”’],?$/u.exec(text) ?? []
  // Where the first quotation mark within closes, the outer ones do not belong together.
  const isWhole = inside !== undefined && !/^[^"“]*(?:(?<=[^\s"])"|”)/u.test(inside)
  return (isWhole ? inside : text).split(explainedBehind)[0]!.trim()
}

function readLine(line: string): Line | undefined {
  // Of a row of a table, the longest cell is meant.
  const cells = line.startsWith('|') ? line.split('|') : [line]
  const cell = cells.reduce((longest, other) => (other.length > longest.length ? other : longest)).trim()
  const plain = cell.replace(/^#+\s+/, '').replace(interjection, '')
  // A number alone is what was asked for.
  let text = plain.replace(marks, '') || plain
  let [label, isListed] = ['', text !== plain]
  for (let found = labels.exec(text); found !== null; found = labels.exec(text)) {
    const said = labelOf(found[1]!)
    if (said === undefined || (said === 'document' && found[2] !== '')) break
    text = text.slice(found[0].length)
    label = said
    isListed ||= found[2] !== '' || ordinal.test(said)
  }
  const isHeading = label === '' && (cell.startsWith('#') || named.test(text))
  return isHeading || !/[\p{L}\p{N}[]/u.test(cell) ? undefined : { label, text: unquoted(text), isListed }
}

/** The lines of a completion, without rules, headings, what stands above a table, and what says why. */
export function linesOf(completion: string): Line[] {
  const lines = plainText(completion)
    .split('\n')
    .map((line) => line.trim())
  const isAboveTable = (place: number): boolean => /^\|[\s|:-]+$/.test(lines[place + 1] ?? '')
  return lines.flatMap((line, place) => (isAboveTable(place) ? [] : (readLine(line) ?? [])))
}

/** Whether a line says why, and not what. */
export const explains = ({ label }: Line): boolean => explaining.test(label)

const openers =
  /^(?:sure|certainly|of course|okay|ok|great|alright|here|these|this|those|that|the (?:following|above|first|second|documents?|questions?|quer(?:y|ies))|below|i|i['’]\p{L}+|we|let|note|hope|together|each|both|all of|they|it|with|by|thanks|thank|feel|in (?:summary|short|total)|to (?:answer|find)|based|since|because|as|no|unfortunately|sorry)\b/iu

const offers = /^(?:would you like|do you want|shall i|should i|is there anything|does (?:this|that) help)\b/i

/** Whether a line is said around what was asked for: "Here they are:", "I hope this helps." */
export const isRemark = (text: string): boolean =>
  /[:：]$/.test(text) || offers.test(text) || (/[.!]["”)]?$/.test(text) && isOpener(text))

/** Whether a line begins as remarks do. */
export const isOpener = (text: string): boolean => openers.test(text)
