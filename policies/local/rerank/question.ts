/** A query as features read it: its stems as bits, so that what a text shares with it is one number. */
import type { Lexicon } from '../../../src/text/lexicon.ts'
import { type ParsedText, parseText } from '../../../src/text/parse-text.ts'
import type { Query } from '../../../src/types.ts'

/** Stems of a query that count: the heaviest ones, as many as an integer has bits to spare. */
const maxStems = 30

export interface Question {
  readonly text: ParsedText
  /** Stem → 1 << its bit; 0 for stems that are not in the query. Grows with the lexicon. */
  bitOf(stem: number): number
  /** The bits of all stems. */
  readonly all: number
  /** The sum of the weights of a set of stems, given as bits. */
  weigh(bits: number): number
  /** The weight of all stems, above 0. */
  readonly total: number
  /** Of the words in the names of the query. */
  readonly inNames: number
  /** Each name's stems. */
  readonly names: readonly number[]
  /** Stems of neighbors that both say something, as bits of both. */
  readonly neighbors: readonly number[]
  /** The bit of a word that begins with these five letters, by their number; 0 where none does. */
  prefixBit(prefix: number): number
  /** What stands in the last thing the agent said, in the user's last turn before, and in all of the user's turns. */
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
  const bitOf = createBitTable(bits)
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
  const said = (role: 'user' | 'agent') =>
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
    prefixBit: createBitTable(prefixes),
    agent: parseText(said('agent').at(-1) ?? '', lexicon).contentStems,
    user: parseText(said('user').at(-1) ?? '', lexicon).contentStems,
    users: parseText(said('user').join('\n'), lexicon).contentStems,
    turns: history.length,
  }
}

/** Looks up bits by a few numbers: faster than a map by far, and most look-ups of a search are this. */
function createBitTable(bits: ReadonlyMap<number, number>): (number: number) => number {
  const size = 1 << (34 - Math.clz32(bits.size))
  const keys = new Int32Array(size).fill(-1)
  const values = new Int32Array(size)
  for (const [number, bit] of bits) {
    let slot = number & (size - 1)
    while (keys[slot] !== -1) slot = (slot + 1) & (size - 1)
    keys[slot] = number
    values[slot] = bit
  }
  return (number) => {
    let slot = number & (size - 1)
    while (keys[slot] !== number) {
      if (keys[slot] === -1) return 0
      slot = (slot + 1) & (size - 1)
    }
    return values[slot]!
  }
}

/** Sums of weights for every set of ten, twenty and thirty bits' worth, ten bits a table. */
function sumTables(weights: readonly number[]): Float64Array[] {
  return [0, 10, 20].map((first) => {
    const sums = new Float64Array(1024)
    const count = Math.max(0, Math.min(10, weights.length - first))
    for (let bit = 0; bit < count; bit++)
      for (let set = 0; set < 1 << bit; set++) sums[set | (1 << bit)] = sums[set]! + weights[first + bit]!
    return sums
  })
}
