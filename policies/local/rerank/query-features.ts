/**
 * The features of a question. They are the same for every document of its pool and let a network distinguish kinds of questions.
 */
import type { Lexicon } from '../../../src/text/lexicon.ts'
import type { PoolDocument } from './compare-document.ts'
import { featureTable } from './feature-table.ts'
import type { Mention } from './mentions.ts'
import type { Retrieved } from './pool.ts'
import type { Question } from './question.ts'

const comparing = new Set(
  'or both same first older younger earlier later more than between longer larger bigger taller shorter before after'.split(
    ' ',
  ),
)
const referring = new Set(
  'it its they them their he his him she her this that those these there one ones'.split(' '),
)
const asking = new Set(
  'who whom whose what which when where why how is are was were do does did can'.split(' '),
)

const table = featureTable<ReturnType<typeof see>>({
  'query: words': ({ words }) => words.length / 20,
  'query: titles mentioned': ({ titles }) => titles / 3,
  'query: names': ({ question }) => question.names.length / 3,
  'query: who': ({ has }) => has('who', 'whose', 'whom'),
  'query: when': ({ has }) => has('when', 'year', 'date'),
  'query: where': ({ has }) => has('where', 'place', 'country', 'city'),
  'query: which or what': ({ has }) => has('which', 'what'),
  'query: compares': ({ words }) => words.filter((word) => comparing.has(word)).length / 2,
  'query: how': ({ has }) => has('how'),
  'query: second score ÷ best': ({ list: { first, second } }) => (first === 0 ? 0 : second / first),
  'query: best document covers': ({ question, best }) =>
    best === undefined ? 0 : question.weigh(best.bits) / question.total,
  'query: is a question': ({ words }) => words.some((word) => asking.has(word)),
  'query: follows a conversation': ({ question }) => question.turns > 0,
  'query: refers back': ({ words }) => words.some((word) => referring.has(word)),
})

export const queryFeatures = table.names

/** @param best the first document of the pool */
export function queryRow(
  question: Question,
  retrieved: Retrieved,
  best: PoolDocument | undefined,
  mentions: readonly Mention[],
  lexicon: Lexicon,
): Float32Array {
  const row = new Float32Array(queryFeatures.length)
  table.write(row, 0, see(question, retrieved, best, mentions, lexicon))
  return row
}

function see(
  question: Question,
  { lexical, dense }: Retrieved,
  best: PoolDocument | undefined,
  mentions: readonly Mention[],
  lexicon: Lexicon,
) {
  const words = [...question.text.words].map((word) => lexicon.text(lexicon.lower(word)))
  return {
    question,
    best,
    words,
    has: (...wanted: readonly string[]): boolean => wanted.some((word) => words.includes(word)),
    titles: new Set(mentions.map(({ title }) => title)).size,
    list: lexical.first > 0 ? lexical : dense,
  }
}
