/** The facts of documents, one of which the Knowledge Integration agent of SPARKLE chooses. Making them needs no query. */
import { oneLine } from '../../src/text/one-line.ts'
import { scan } from '../../src/text/scan.ts'
import type { Document } from '../../src/types.ts'

/** A fact, and the document that says it. */
export interface Triple {
  readonly head: string
  /** Empty for a statement in plain words: the head is then what it is about. */
  readonly relation: string
  readonly tail: string
  readonly docid: string
}

/** Knows the facts of documents. */
export interface TripleStore {
  /** The facts of these documents, in their order. A document may have none. */
  of(documents: readonly Document[]): Promise<readonly Triple[]>
}

/** Sentences of a document that are facts. Querent's: the beginnings of articles say most. */
const firstSentences = 12

/** The maximum length in characters of a fact in a prompt. */
const longest = 400

/**
 * A store without preparation: the first twelve sentences of each document are its facts, each about the document's title. The
 * paper's "direct KI" with smaller units.
 */
export const sentencesAsTriples = (): TripleStore => ({
  of: async (documents) =>
    documents.flatMap((document) =>
      sentencesOf(document.text)
        .slice(0, firstSentences)
        .map((tail) => statement(document, tail)),
    ),
})

/** A store in which each document is one fact: the paper's "w/ Direct KI Agent" (Table 4). */
export const documentsAsTriples = (): TripleStore => ({
  of: async (documents) => documents.map((document) => statement(document, document.text)),
})

/**
 * A fact as prompts show it: one line, `<head; relation; tail>`, or `head: tail` without a relation.
 *
 * @example textOf({ head: 'Ulysses', relation: 'author', tail: 'James Joyce', docid: 'd1' }) // '<Ulysses; author; James Joyce>'
 */
export function textOf({ head, relation, tail }: Triple): string {
  const text =
    relation === '' ? `${head === '' ? '' : `${head}: `}${tail}` : `<${head}; ${relation}; ${tail}>`
  return oneLine(text, longest)
}

const statement = ({ docid, title = '' }: Document, tail: string): Triple => ({
  head: title,
  relation: '',
  tail,
  docid,
})

/** Sentences, each with its brackets closed and with a word. What is none, such as "2010).", stays with what is before it. */
function sentencesOf(text: string): string[] {
  const { starts, sentences } = scan(text)
  const pieces = sentences.map((first, place) => {
    const next = sentences[place + 1]
    return text.slice(place === 0 ? 0 : starts[first], next === undefined ? text.length : starts[next])
  })
  const whole: string[] = []
  for (const piece of pieces) {
    const last = whole.at(-1)
    const isPart = last !== undefined && (isOpen(last) || !/\p{L}{2}/u.test(piece))
    if (isPart) whole[whole.length - 1] = `${last}${piece}`
    else whole.push(piece)
  }
  return whole.map((sentence) => sentence.trim())
}

/** Whether a bracket is open, in a text that may still be one sentence. */
const isOpen = (text: string): boolean =>
  text.length < longest && text.lastIndexOf('(') > text.lastIndexOf(')')
