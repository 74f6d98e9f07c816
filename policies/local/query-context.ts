/** What the decision knows of a query: what re-ranking knows, but for what a statement seems to ask. */
import { queryFeatures } from '../../src/rerank/query-features.ts'

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
  const context = new Float32Array(contextFeatures.length)
  for (const [place, name] of contextFeatures.entries()) {
    if (name === 'query: asks') context[place] = asks ? 1 : 0
    else if (name === 'query: tells') context[place] = asks ? 0 : 1
    // In a statement "which" and "where" ask nothing.
    else context[place] = asks || !isAsked[place] ? query[place]! : 0
  }
  return context
}
