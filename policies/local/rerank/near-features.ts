/** Features of how much of the question a document says, in the same words or in near ones. */
import { createIntTable } from '../../../src/text/int-table.ts'
import type { Lexicon } from '../../../src/text/lexicon.ts'
import { nearWords } from '../../../src/text/near-words.ts'
import type { ParsedDocument } from '../../../src/text/parse-document.ts'
import type { Question } from './question.ts'

/** A stem that is there counts its weight, another one its weight times the likeness of the nearest word that is. */
export const nearFeatures = [
  'near: query in document',
  'near: query in title',
  'near: best sentence',
  'near: first sentence',
] as const

/** @returns a function that writes the features of a document into `row`, from `at` on */
export function prepareNear(
  { text, all, bitOf, weigh: weightOf, total }: Question,
  lexicon: Lexicon,
): (document: ParsedDocument, row: Float32Array, at: number) => void {
  const bits = 32 - Math.clz32(all)
  const weights = Float64Array.from({ length: bits }, (_, bit) => weightOf(1 << bit))
  /** Stem → its place in `said`, from 1. */
  const places = new Map<number, number>()
  const entries: { readonly place: number; readonly bit: number; readonly likeness: number }[] = []
  for (const stem of text.contentStems) {
    const bit = 31 - Math.clz32(bitOf(stem))
    if (bit < 0) continue
    say(stem, bit, 1)
    for (const near of nearWords(lexicon.stemText(stem))) say(lexicon.stemId(near.stem), bit, near.likeness)
  }
  const placeOf = createIntTable(places)
  /** What each stem says of each stem of the question, by its bit: 1 if it is the same, the likeness of near words, or 0. */
  const said = new Float32Array((places.size + 1) * bits)
  for (const { place, bit, likeness } of entries)
    said[place * bits + bit] = Math.max(said[place * bits + bit]!, likeness)
  /** Of the current document, and of its current title or sentence. */
  const anywhere = new Float32Array(bits)
  const here = new Float32Array(bits)

  function say(stem: number, bit: number, likeness: number): void {
    const place = places.get(stem) ?? places.size + 1
    places.set(stem, place)
    entries.push({ place, bit, likeness })
  }

  /** The share of the question in these stems, which are added to what is said anywhere. */
  function shareIn(stems: Int32Array, start: number, end: number): number {
    let found = false
    for (let at = start; at < end; at++) {
      const place = placeOf(stems[at]!)
      if (place === 0) continue
      if (!found) here.fill(0)
      found = true
      raise(here, said, place * bits)
    }
    if (!found) return 0
    raise(anywhere, here, 0)
    return shareOf(here)
  }

  function shareOf(shares: Float32Array): number {
    let sum = 0
    for (let bit = 0; bit < bits; bit++) sum += shares[bit]! * weights[bit]!
    return sum / total
  }

  return ({ text: { stems, sentences }, title }, row, at) => {
    anywhere.fill(0)
    const inTitle = shareIn(title.stems, 0, title.stems.length)
    let [best, first] = [0, 0]
    for (let sentence = 0; sentence + 1 < sentences.length; sentence++) {
      const share = shareIn(stems, sentences[sentence]!, sentences[sentence + 1]!)
      if (sentence === 0) first = share
      best = Math.max(best, share)
    }
    row[at] = shareOf(anywhere)
    row[at + 1] = inTitle
    row[at + 2] = best
    row[at + 3] = first
  }
}

function raise(shares: Float32Array, more: Float32Array, from: number): void {
  for (let bit = 0; bit < shares.length; bit++)
    if (more[from + bit]! > shares[bit]!) shares[bit] = more[from + bit]!
}
