/** The mentions of titles in a text. */

import { createIntTable } from '../../../src/text/int-table.ts'
import { Flag, type Lexicon } from '../../../src/text/lexicon.ts'
import type { ParsedDocument } from '../../../src/text/parse-document.ts'
import type { ParsedText } from '../../../src/text/parse-text.ts'

/** 1 the full title; 2 without "the", or up to a comma or dash; 3 the first and last word of a person's name. */
type MentionKind = 1 | 2 | 3

export interface Mention {
  /** The index of the title. */
  readonly title: number
  readonly start: number
  readonly end: number
  readonly sentence: number
  readonly kind: MentionKind
}

interface Form {
  readonly title: number
  readonly words: readonly number[]
  readonly kind: MentionKind
}

export interface Titles {
  /** The forms that begin with a word, longest first. */
  formsOf(word: number): readonly Form[]
}

const noForms: readonly Form[] = []

const longestTitle = 10

export function titlesOf(documents: readonly ParsedDocument[], lexicon: Lexicon): Titles {
  const forms = new Map<number, Form[]>()
  const add = (title: number, words: readonly number[], kind: MentionKind): void => {
    if (words.length === 0 || words.length > longestTitle) return
    if (words.length === 1) {
      const text = lexicon.text(words[0]!)
      if (text.length < 3 || lexicon.flags(words[0]!) & Flag.stopWord) return
    }
    const list = forms.get(words[0]!)
    if (list === undefined) forms.set(words[0]!, [{ title, words, kind }])
    else list.push({ title, words, kind })
  }
  documents.forEach(({ name, short, title }, index) => {
    const words = [...name]
    add(index, words, 1)
    if (words.length > 2 && lexicon.text(words[0]!) === 'the') add(index, words.slice(1), 2)
    if (short < words.length) add(index, words.slice(0, short), 2)
    const isPerson =
      (short === 3 || short === 4) &&
      title.words.subarray(0, short).every((word) => lexicon.flags(word) & Flag.capitalized)
    if (isPerson) add(index, [words[0]!, words[short - 1]!], 3)
  })
  const lists = [noForms, ...forms.values()]
  for (const list of forms.values()) list.sort((a, b) => b.words.length - a.words.length || a.title - b.title)
  const listOf = createIntTable(new Map([...forms.keys()].map((word, place) => [word, place + 1])))
  return { formsOf: (word) => lists[listOf(word)]! }
}

/** All mentions. At each place the longest forms win; several titles may share a form. */
export function mentionsIn(
  text: ParsedText,
  { formsOf }: Titles,
  lexicon: Lexicon,
  ofQuery = false,
): Mention[] {
  const mentions: Mention[] = []
  const { words, sentences, marked } = text
  let [sentence, behind] = [0, 0]
  for (const place of ofQuery ? Int32Array.from(words.keys()) : marked) {
    if (place < behind) continue
    while (sentences[sentence + 1]! <= place) sentence++
    const isMarked = !ofQuery || marked.includes(place)
    let length = 0
    for (const { title, words: form, kind } of formsOf(lexicon.lower(words[place]!))) {
      if (form.length < length) break
      if (!isMarked && form.length === 1) continue
      if (!matches(form, place)) continue
      length = form.length
      mentions.push({ title, start: place, end: place + length, sentence, kind })
    }
    behind = place + length
  }
  return mentions

  function matches(form: readonly number[], place: number): boolean {
    if (place + form.length > words.length) return false
    for (let index = 1; index < form.length; index++)
      if (lexicon.lower(words[place + index]!) !== form[index]) return false
    return true
  }
}
