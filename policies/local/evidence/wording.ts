/** Features of a question's wording that tell a plain question from a chain of facts before anything is searched. */
import { auxiliaries, questionWords } from '../../../src/text/english.ts'
import { isQuestion } from '../../../src/text/is-question.ts'
import { Flag, type Lexicon } from '../../../src/text/lexicon.ts'
import { checkRow } from '../rerank/check-row.ts'
import type { Question } from '../rerank/question.ts'

export const wordingFeatures = [
  'wording: words',
  'wording: content words',
  'wording: names',
  'wording: question words',
  'wording: place of the question word',
  'wording: question word inside',
  'wording: begins with a question word',
  'wording: begins with an auxiliary',
  'wording: "of the"',
  'wording: possessives',
  'wording: relative clauses',
  'wording: prepositions',
  'wording: comparisons',
  'wording: ends with a question mark',
  'wording: is a question',
  'wording: lower case',
  'wording: small words',
  'wording: numbers',
  'wording: other scripts',
] as const

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

const asking = new Set(questionWords)
const helping = new Set(auxiliaries)
const relating = words('who whom whose which that where')
const prepositions = words('of in on at by for from to with about between during under after before into')
const comparing = words(
  'or both same first older younger earlier later more less than between longer larger bigger taller shorter',
)

/** @param text the query as it was typed */
export function writeWording(
  row: Float32Array,
  at: number,
  text: string,
  question: Question,
  lexicon: Lexicon,
): void {
  const numbers = [...question.text.words]
  const lower = numbers.map((word) => lexicon.text(lexicon.lower(word)))
  const count = Math.max(1, lower.length)
  const number = (holds: (word: string, place: number) => boolean): number => lower.filter(holds).length
  const share = (holds: (word: string, place: number) => boolean): number => number(holds) / count
  const flagged = (place: number, flag: number): boolean => (lexicon.flags(numbers[place]!) & flag) !== 0
  const first = lower.findIndex((word) => asking.has(word))
  const values = [
    lower.length / 20,
    question.text.contentStems.length / 10,
    question.names.length / 3,
    number((word) => asking.has(word)) / 2,
    first === -1 ? 1 : first / count,
    first > 0 ? 1 : 0,
    first === 0 ? 1 : 0,
    helping.has(lower[0] ?? '') ? 1 : 0,
    number((word, place) => word === 'of' && lower[place + 1] === 'the') / 2,
    (text.match(/\p{L}['’]s\b/gu)?.length ?? 0) / 2,
    number((word, place) => place > 1 && relating.has(word)) / 2,
    share((word) => prepositions.has(word)),
    number((word) => comparing.has(word)) / 2,
    '?？؟'.includes(text.trimEnd().at(-1) ?? ' ') ? 1 : 0,
    isQuestion(text) ? 1 : 0,
    /\p{Lu}/u.test(text) ? 0 : 1,
    share((_, place) => flagged(place, Flag.stopWord)),
    share((_, place) => flagged(place, Flag.number)),
    share((word) => !/^[\p{Script=Latin}\p{N}]/u.test(word)),
  ]
  checkRow('wordingFeatures', wordingFeatures, values.length)
  row.set(values, at)
}
