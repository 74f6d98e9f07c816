/** Generated documents that mention each other by name, and questions that need two of them. */
import type { Random } from '../src/learn/random.ts'
import type { Document, Qrels, Query } from '../src/types.ts'
import { wordsPerDocument } from './generated.ts'

export interface LinkedCollection {
  readonly documents: readonly Document[]
  readonly queries: readonly Query[]
  readonly qrels: Qrels
}

const sentences = 8
const mentions = 4

/** Half of the questions compare two things; the others ask about what a thing mentions. */
export function linkedCollection(size: number, questions: number, random: Random): LinkedCollection {
  const word = (): string => spelled(Math.floor(30_000 ** random.float()))
  const wordsOf = (count: number): string => Array.from({ length: count }, word).join(' ')
  const names = Array.from({ length: size }, (_, thing) => `${capital(word())} ${capital(spelled(thing))}`)
  const links = names.map(() => Array.from({ length: mentions }, () => random.integer(size)))
  const inSentence = Math.round((wordsPerDocument - 2 * mentions) / sentences)
  const documents = names.map((title, thing): Document => {
    const parts = Array.from({ length: sentences }, (_, place) => {
      const linked = links[thing]![place]
      const said = linked === undefined ? wordsOf(inSentence) : `${wordsOf(inSentence)} ${names[linked]!}`
      return `${capital(said)}.`
    })
    return { docid: `d${thing}`, title, text: parts.join(' ') }
  })
  const qrels = new Map<string, Map<string, number>>()
  const queries = Array.from({ length: questions }, (_, number): Query => {
    const thing = random.integer(size)
    const isComparison = number % 2 === 0
    const other = isComparison ? random.integer(size) : links[thing]![random.integer(mentions)]!
    const qid = `q${number}`
    qrels.set(qid, new Map([thing, other].map((gold) => [`d${gold}`, 1])))
    const words = documents[other]!.text.split(' ')
    const about = words.slice(3, 6).join(' ').toLowerCase()
    const text = isComparison
      ? `Which is older, ${names[thing]} or ${names[other]}?`
      : `Where was the ${about} that ${names[thing]} has to do with?`
    return { qid, text }
  })
  return { documents, queries, qrels }
}

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

/** A number as a word of syllables, each number another. */
function spelled(number: number): string {
  const syllable = `${'bdfgklmnprstvz'[number % 14]}${'aeiou'[Math.floor(number / 14) % 5]}`
  const rest = Math.floor(number / 70)
  return rest === 0
    ? `${syllable}n`
    : spelled(rest - 1).slice(0, -1) + syllable + (number % 3 === 0 ? 'r' : 'l')
}
