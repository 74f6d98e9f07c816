/** What the decision knows of a query: what re-ranking knows, but for what a statement seems to ask. */
import { queryFeatures } from './rerank/query-features.ts'

const anywhere = 'query: is a question'

/**
 * Whether a word that asks stands anywhere tells re-ranking enough; whether the query asks decides what is searched. That it
 * tells is said as well: what is learned of statements has a weight of its own, and need not be undone for questions.
 */
export const contextFeatures: readonly string[] = [
  ...queryFeatures.map((name) => (name === anywhere ? 'query: asks' : name)),
  'query: tells',
]

const asked = ['query: who', 'query: when', 'query: where', 'query: which or what', 'query: how']
const isAsked = contextFeatures.map((name) => asked.includes(name))

/** @param query the query's features, by `queryFeatures` */
export function contextOf(query: Float32Array, asks: boolean): Float32Array {
  return Float32Array.from(contextFeatures, (name, place) => {
    if (name === 'query: asks') return asks ? 1 : 0
    if (name === 'query: tells') return asks ? 0 : 1
    // In a statement "which" and "where" ask nothing.
    return asks || !isAsked[place] ? query[place]! : 0
  })
}
