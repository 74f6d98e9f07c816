/** How well a text says the words of a question, in these words or in words of like meaning. */
import { createIntTable } from '../../../src/text/int-table.ts'
import type { Lexicon } from '../../../src/text/lexicon.ts'
import { nearWords } from '../../../src/text/near-words.ts'
import type { ParsedDocument } from '../../../src/text/parse-document.ts'
import type { Question } from './question.ts'

/** For each stem of the question, by its bit: 1 if a text has it, the highest likeness of a near word, or 0. */
type Said = Float32Array

/** What a document says of a question. */
export interface SaidIn {
  readonly title: Said
  readonly sentences: readonly Said[]
  /** In the title or a sentence. */
  readonly anywhere: Said
}

export interface Nearness {
  read(document: ParsedDocument): SaidIn
  /** The sum of the weights of the question's stems, each times its value. */
  weigh(said: Said): number
}

export function nearnessOf({ text, all, bitOf, weigh }: Question, lexicon: Lexicon): Nearness {
  const bits = 32 - Math.clz32(all)
  const weights = Float64Array.from({ length: bits }, (_, bit) => weigh(1 << bit))
  const saidBy = new Map<number, Said>()
  for (const stem of text.contentStems) {
    const bit = 31 - Math.clz32(bitOf(stem))
    if (bit < 0) continue
    say(stem, bit, 1)
    for (const near of nearWords(lexicon.stemText(stem))) say(lexicon.stemId(near.stem), bit, near.likeness)
  }
  const rows = [...saidBy.values()]
  const placeOf = createIntTable(new Map([...saidBy.keys()].map((stem, row) => [stem, row + 1])))

  function say(stem: number, bit: number, likeness: number): void {
    const said = saidBy.get(stem) ?? new Float32Array(bits)
    saidBy.set(stem, said)
    if (likeness > said[bit]!) said[bit] = likeness
  }

  function raise(said: Said, stems: Int32Array, start: number, end: number): void {
    for (let at = start; at < end; at++) {
      const place = placeOf(stems[at]!)
      if (place > 0) raiseTo(said, rows[place - 1]!)
    }
  }

  return {
    read({ text: { stems, sentences }, title }) {
      const anywhere = new Float32Array(bits)
      const inTitle = new Float32Array(bits)
      raise(inTitle, title.stems, 0, title.stems.length)
      raiseTo(anywhere, inTitle)
      const inSentences: Said[] = []
      for (let sentence = 0; sentence + 1 < sentences.length; sentence++) {
        const said = new Float32Array(bits)
        raise(said, stems, sentences[sentence]!, sentences[sentence + 1]!)
        raiseTo(anywhere, said)
        inSentences.push(said)
      }
      return { title: inTitle, sentences: inSentences, anywhere }
    },

    weigh(said) {
      let sum = 0
      for (let bit = 0; bit < bits; bit++) sum += said[bit]! * weights[bit]!
      return sum
    },
  }
}

function raiseTo(said: Said, more: Said): void {
  for (let bit = 0; bit < said.length; bit++) if (more[bit]! > said[bit]!) said[bit] = more[bit]!
}
