/** A query prepared for features: its stems are bits, so the stems that a text shares with it are one number. */
import { createIntTable } from '../../../src/text/int-table.ts'
import type { Lexicon } from '../../../src/text/lexicon.ts'
import { type ParsedText, parseText } from '../../../src/text/parse-text.ts'
import type { Query } from '../../../src/types.ts'

/** The maximum number of stems of a query, limited by the bits of an integer. The heaviest ones are kept. */
const maxStems = 30

export interface Question {
  readonly text: ParsedText
  /** Stem → 1 << its bit; 0 for stems that are not in the query. Works for stems that the lexicon adds later. */
  bitOf(stem: number): number
  /** The bits of all stems. */
  readonly all: number
  /** The sum of the weights of a set of stems, as bits. */
  weigh(bits: number): number
  /** The weight of all stems; 1 if it would be 0. */
  readonly total: number
  /** The bits of the words in the query's names. */
  readonly inNames: number
  /** The bits of each name. */
  readonly names: readonly number[]
  /** The bits of each pair of neighboring content words. */
  readonly neighbors: readonly number[]
  /** The bit of a word that begins with these five letters, by the number of the prefix; 0 if no word does. */
  prefixBit(prefix: number): number
  /** The content stems of the agent's last turn, of the user's last turn, and of all of the user's turns. */
  readonly agent: Int32Array
  readonly user: Int32Array
  readonly users: Int32Array
  readonly turns: number
}

export function readQuestion({ text: given, history = [] }: Query, lexicon: Lexicon): Question {
  const text = parseText(given, lexicon)
  const contentStems = [...text.contentStems]
    .sort((a, b) => lexicon.weight(b) - lexicon.weight(a))
    .slice(0, maxStems)
  const bits = new Map(contentStems.map((stem, index) => [stem, 1 << index]))
  const weights = contentStems.map((stem) => lexicon.weight(stem))
  const table = sumTables(weights)
  const weigh = (set: number): number =>
    table[0]![set & 1023]! + table[1]![(set >>> 10) & 1023]! + table[2]![(set >>> 20) & 1023]!
  const bitOf = createIntTable(bits)
  const bitsOf = (start: number, end: number): number => {
    let set = 0
    for (let place = start; place < end; place++) set |= bitOf(text.stems[place]!)
    return set
  }
  const names = text.names.map(({ start, end }) => bitsOf(start, end)).filter((set) => set !== 0)
  const neighbors: number[] = []
  for (let place = 1; place < text.stems.length; place++) {
    const [a, b] = [bitOf(text.stems[place - 1]!), bitOf(text.stems[place]!)]
    if (a !== 0 && b !== 0 && a !== b) neighbors.push(a | b)
  }
  const prefixes = new Map<number, number>()
  text.words.forEach((word, place) => {
    const bit = bitOf(text.stems[place]!)
    if (bit !== 0) prefixes.set(lexicon.prefix(word), bit)
  })
  const textsBy = (role: 'user' | 'agent') =>
    history.filter((turn) => turn.role === role).map((turn) => turn.text)
  const all = bitsOf(0, text.stems.length)
  return {
    text,
    bitOf,
    all,
    weigh,
    total: weigh(all) || 1,
    inNames: names.reduce((set, name) => set | name, 0),
    names,
    neighbors,
    prefixBit: createIntTable(prefixes),
    agent: parseText(textsBy('agent').at(-1) ?? '', lexicon).contentStems,
    user: parseText(textsBy('user').at(-1) ?? '', lexicon).contentStems,
    users: parseText(textsBy('user').join('\n'), lexicon).contentStems,
    turns: history.length,
  }
}

/** The sum of weights for every set of ten bits: one table for each ten of the thirty bits. */
function sumTables(weights: readonly number[]): Float64Array[] {
  return [0, 10, 20].map((first) => {
    const count = Math.max(0, Math.min(10, weights.length - first))
    const sums = new Float64Array(1 << count)
    for (let bit = 0; bit < count; bit++)
      for (let set = 0; set < 1 << bit; set++) sums[set | (1 << bit)] = sums[set]! + weights[first + bit]!
    return sums
  })
}

/** The words of the question that have one of these stems, each stem once, in the question's order. */
export function wordsOf(question: Question, bits: number, lexicon: Lexicon): string {
  const words: string[] = []
  let left = bits
  question.text.words.forEach((word, place) => {
    const bit = question.bitOf(question.text.stems[place]!)
    if ((left & bit) === 0) return
    left &= ~bit
    words.push(lexicon.text(word))
  })
  return words.join(' ')
}
