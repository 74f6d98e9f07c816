/**
 * Cues: words beside a name that mark it as the answer to a question. "Directed … by" before a name answers "director"; "married"
 * answers "wife". No dictionary covers every collection, but the links that led to relevant documents teach these words.
 */
import { z } from 'zod'
import { Flag, type Lexicon } from '../../src/text/lexicon.ts'
import type { ParsedText } from '../../src/text/parse-text.ts'
import type { Question } from './rerank/question.ts'

/**
 * Stem of a question's word → stems beside a name: `"director": "direct<1.9 by<1.3"`. `<` marks a stem before the name, `>` one
 * after it. The number is a logarithm: how much more often than other names such a name led to a relevant document. Plain JSON.
 */
export type Cues = Readonly<Record<string, string>>

/** A stem may be white space of another kind: a byte order mark inside a text. */
const entry = /^([^ ]+)([<>])(-?\d+(?:\.\d+)?)$/

export const cuesSchema: z.ZodType<Cues> = z.record(
  z.string().min(1),
  z.string().refine((line) => line.split(' ').every((part) => entry.test(part)), 'not a list of cues'),
)

/** A word beside a name: its stem and the side, as one number. */
const cueOf = (stem: number, isAfter: boolean): number => 2 * stem + (isAfter ? 1 : 0)

/** The evidence for and against a name: the strongest cue on each side, and the sum of all cues. */
interface CueStrength {
  readonly best: number
  readonly worst: number
  readonly sum: number
}

/** Returns the strength of the cues beside a stretch of a text, for one question. */
export type ReadCues = (text: ParsedText, start: number, end: number, sentence: number) => CueStrength

const none: CueStrength = { best: 0, worst: 0, sum: 0 }
export const noCues: ReadCues = () => none

/** Sums are limited to ± this value. */
const furthest = 10

/** Prepares cues for any number of questions. */
export function prepareCues(cues: Cues): (question: Question, lexicon: Lexicon) => ReadCues {
  let compiled: Map<number, readonly (readonly [number, number])[]>
  let compiledFor: Lexicon | undefined
  return (question, lexicon) => {
    if (compiledFor !== lexicon) {
      compiled = compile(cues, lexicon)
      compiledFor = lexicon
    }
    const weights = new Map<number, [best: number, worst: number, sum: number]>()
    for (const stem of askingStems(question.text, lexicon)) {
      for (const [cue, weight] of compiled.get(stem) ?? []) {
        const known = weights.get(cue)
        if (known === undefined) weights.set(cue, [Math.max(0, weight), Math.min(0, weight), weight])
        else {
          known[0] = Math.max(known[0], weight)
          known[1] = Math.min(known[1], weight)
          known[2] += weight
        }
      }
    }
    if (weights.size === 0) return noCues
    return (text, start, end, sentence) => {
      let best = 0
      let worst = 0
      let sum = 0
      for (const cue of cuesBeside(text, start, end, sentence, lexicon)) {
        const found = weights.get(cue)
        if (found === undefined) continue
        best = Math.max(best, found[0])
        worst = Math.min(worst, found[1])
        sum += found[2]
      }
      return { best, worst, sum: Math.max(-furthest, Math.min(furthest, sum)) }
    }
  }
}

function compile(cues: Cues, lexicon: Lexicon): Map<number, readonly (readonly [number, number])[]> {
  return new Map(
    Object.entries(cues).map(([word, line]) => [
      lexicon.stemId(word),
      line.split(' ').map((part) => {
        const [, stem, side, weight] = entry.exec(part)!
        return [cueOf(lexicon.stemId(stem!), side === '>'), Number(weight)] as const
      }),
    ]),
  )
}

/** The stems of a question that say what it asks for: no names, no numbers, and no stop words except question words. */
export function askingStems({ words, stems }: ParsedText, lexicon: Lexicon): Set<number> {
  const found = new Set<number>()
  words.forEach((word, place) => {
    const flags = lexicon.flags(word)
    if (flags & Flag.number || (flags & Flag.capitalized && place > 0)) return
    if (flags & Flag.stopWord && !asking.has(lexicon.text(lexicon.lower(word)))) return
    found.add(stems[place]!)
  })
  return found
}

const asking = new Set('who whom whose when where which how'.split(' '))

const near = 6

/** The words beside a stretch of a sentence, up to six on each side, each once. Names and numbers are left out. */
export function cuesBeside(
  { words, stems, sentences }: ParsedText,
  start: number,
  end: number,
  sentence: number,
  lexicon: Lexicon,
): Set<number> {
  const found = new Set<number>()
  const last = Math.min(sentences[sentence + 1]!, end + near)
  for (let place = Math.max(sentences[sentence]!, start - near); place < last; place++) {
    if (place >= start && place < end) continue
    if (lexicon.flags(words[place]!) & (Flag.capitalized | Flag.number)) continue
    found.add(cueOf(stems[place]!, place >= end))
  }
  return found
}
