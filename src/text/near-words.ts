/**
 * Words of like meaning. `near-words.txt` has 20,000 stems of English, each with the stems whose words all-MiniLM-L6-v2
 * (Apache-2.0) takes to mean something similar. `scripts/make-near-words.ts` made it. A line is a stem, and then each near stem
 * with the cosine of both vectors in hundredths: `film movi 76 cinema 72`.
 */
import { readFileSync } from 'node:fs'
import { ownFile, unzipped } from '../runtime/own-file.ts'

export interface NearWord {
  readonly stem: string
  /** From above 0 to 1, which is the same meaning. */
  readonly likeness: number
}

/** A cosine of 0.3 is a likeness of 0. The file has cosines from 0.4. */
const unrelated = 0.3

let text: string | undefined

/** The stems near this one, nearest first; none for a stem that is rare or not English. The first call reads the file. */
export function nearWords(stem: string): readonly NearWord[] {
  // ASCII, for which this is the fastest way.
  text ??= unzipped(readFileSync(ownFile('./near-words.txt', import.meta.url))).toString('latin1')
  const [, ...fields] = lineOf(`${stem} `, text).split(' ')
  const words: NearWord[] = []
  for (let at = 0; at + 1 < fields.length; at += 2)
    words.push({
      stem: fields[at]!,
      likeness: (Number(fields[at + 1]) / 100 - unrelated) / (1 - unrelated),
    })
  return words
}

/** The line that begins so, or an empty one. The lines are in the order of their code units, so half of them is left at each step. */
function lineOf(start: string, text: string): string {
  let [low, high] = [0, text.length]
  while (low < high) {
    const begin = text.lastIndexOf('\n', ((low + high) >> 1) - 1) + 1
    const end = text.indexOf('\n', begin)
    const line = text.slice(begin, end)
    if (line.startsWith(start)) return line
    if (line < start) low = end + 1
    else high = begin
  }
  return ''
}
