/**
 * The features of a question. They are the same for every document of its pool and let a network distinguish kinds of questions.
 */
import type { Lexicon } from '../../../src/text/lexicon.ts'
import { checkRow } from './check-row.ts'
import type { PoolDocument } from './compare-document.ts'
import type { Mention } from './mentions.ts'
import type { Retrieved } from './pool.ts'
import type { Question } from './question.ts'

export const queryFeatures = [
  'query: words',
  'query: titles mentioned',
  'query: names',
  'query: who',
  'query: when',
  'query: where',
  'query: which or what',
  'query: compares',
  'query: how',
  'query: second score ÷ best',
  'query: best document covers',
  'query: is a question',
  'query: follows a conversation',
  'query: refers back',
] as const

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

export function writeQueryFeatures(
  row: Float32Array,
  at: number,
  question: Question,
  retrieved: Retrieved,
  best: PoolDocument | undefined,
  mentions: readonly Mention[],
  lexicon: Lexicon,
): void {
  const words = [...question.text.words].map((word) => lexicon.text(lexicon.lower(word)))
  const has = (...wanted: readonly string[]): number => (wanted.some((word) => words.includes(word)) ? 1 : 0)
  const { first, second } = retrieved.lexical.first > 0 ? retrieved.lexical : retrieved.dense
  const values = [
    words.length / 20,
    new Set(mentions.map(({ title }) => title)).size / 3,
    question.names.length / 3,
    has('who', 'whose', 'whom'),
    has('when', 'year', 'date'),
    has('where', 'place', 'country', 'city'),
    has('which', 'what'),
    words.filter((word) => comparing.has(word)).length / 2,
    has('how'),
    first === 0 ? 0 : second / first,
    best === undefined ? 0 : question.weigh(best.bits) / question.total,
    words.some((word) => asking.has(word)) ? 1 : 0,
    question.turns > 0 ? 1 : 0,
    words.some((word) => referring.has(word)) ? 1 : 0,
  ]
  checkRow('queryFeatures', queryFeatures, values.length)
  row.set(values, at)
}
