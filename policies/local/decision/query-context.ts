/** The query features of the decision: those of re-ranking, except that question words in a statement do not count. */
import { queryFeatures } from '../rerank/query-features.ts'

const anywhere = 'query: is a question'

/** Statements have a feature of their own, so that a weight for them does not undo one for questions. */
export const contextFeatures: readonly string[] = [
  ...queryFeatures.map((name) => (name === anywhere ? 'query: asks' : name)),
  'query: tells',
]

const questionWords = ['query: who', 'query: when', 'query: where', 'query: which or what', 'query: how']
const isQuestionWord = contextFeatures.map((name) => questionWords.includes(name))

/** @param query the query's features, by `queryFeatures` */
export function contextOf(query: Float32Array, asks: boolean): Float32Array {
  return Float32Array.from(contextFeatures, (name, place) => {
    if (name === 'query: asks') return asks ? 1 : 0
    if (name === 'query: tells') return asks ? 0 : 1
    // In a statement, "which" and "where" do not ask.
    return asks || !isQuestionWord[place] ? query[place]! : 0
  })
}
