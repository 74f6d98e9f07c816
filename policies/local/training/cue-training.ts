/** Learns cues: counts the words beside names that led to a relevant document, and beside names that did not. */

import type { Lexicon } from '../../../src/text/lexicon.ts'
import type { Cues } from '../cues.ts'

export interface CueCounter {
  /** Counts a name, with the stems of the question and the cues beside the name (`cuesBeside`). */
  count(fold: number, asking: Iterable<number>, beside: Iterable<number>, led: boolean): void
  /** The cues of all examples, or of all folds but one. */
  cues(without?: number): Cues
}

interface Counts {
  names: number
  led: number
  /** Pair of a question's stem and a cue → the number of names with it, and how many of those led to a relevant document. */
  readonly pairs: Map<string, [names: number, led: number]>
}

/** The minimum number of names with a cue, and the minimum absolute weight of a cue. */
const fewestNames = 4
const leastWeight = 0.3

/** Smoothing: this many average names are added to those counted for each pair. */
const doubt = 5

/** The maximum number of cues, about 50 KB. Cues with the largest weight · √count are kept. */
const maxCues = 4000

/** @param lexicon must stay the same for all counts */
export function createCueCounter(lexicon: Lexicon): CueCounter {
  const folds: Counts[] = []

  return {
    count(fold, asking, beside, led) {
      folds[fold] ??= { names: 0, led: 0, pairs: new Map() }
      const counts = folds[fold]
      const one = led ? 1 : 0
      counts.names++
      counts.led += one
      for (const stem of asking) {
        for (const cue of beside) addPair(counts, `${stem} ${cue}`, 1, one)
      }
    },

    cues(without) {
      const sum = add(folds.filter((_, fold) => fold !== without))
      const share = sum.led / sum.names
      const weighed = [...sum.pairs]
        .filter(([, [names]]) => names >= fewestNames)
        .map(([key, [names, led]]) => ({
          key,
          names,
          weight: Math.log((led + doubt * share) / ((names + doubt) * share)),
        }))
        .filter(({ weight }) => Math.abs(weight) >= leastWeight)
        .sort((a, b) => Math.abs(b.weight) * Math.sqrt(b.names) - Math.abs(a.weight) * Math.sqrt(a.names))
        .slice(0, maxCues)
      const lines = new Map<string, string[]>()
      for (const { key, weight } of weighed) {
        const [stem, cue] = key.split(' ').map(Number)
        const word = lexicon.stemText(stem!)
        const line = lines.get(word) ?? []
        line.push(`${lexicon.stemText(cue! >> 1)}${cue! & 1 ? '>' : '<'}${weight.toFixed(1)}`)
        lines.set(word, line)
      }
      return Object.fromEntries([...lines].map(([word, line]) => [word, line.join(' ')]))
    },
  }
}

function add(folds: readonly Counts[]): Counts {
  const sum: Counts = { names: 0, led: 0, pairs: new Map() }
  for (const { names, led, pairs } of folds) {
    sum.names += names
    sum.led += led
    for (const [key, [n, l]] of pairs) addPair(sum, key, n, l)
  }
  return sum
}

function addPair({ pairs }: Counts, key: string, names: number, led: number): void {
  const [n, l] = pairs.get(key) ?? [0, 0]
  pairs.set(key, [n + names, l + led])
}
