/**
 * Reads traces of version 1. It knew two requests in place of rounds and stages in place of origins, kept the local policy's
 * account of a decision in a field of its own, and told dense lists by their names.
 */
import { isObject } from './runtime/json.ts'

/** The value as version 2 has it, if it is a trace of version 1. What is wrong with it stays as it is. */
export function upgraded(trace: unknown): unknown {
  if (!isObject(trace) || trace.version !== 1) return trace
  const { secondStage: _, subQueries, steps, outcome, ...rest } = trace
  const original = isObject(trace.query) ? trace.query.text : undefined

  const subQuery = (value: unknown): unknown => {
    if (!isObject(value)) return value
    const { stage: _, ...kept } = value
    return { ...kept, round: value.text === original ? 0 : 1 }
  }
  const withSubQuery = (value: unknown): unknown =>
    isObject(value) ? { ...value, subQuery: subQuery(value.subQuery) } : value

  const leg = (value: unknown): unknown => {
    if (!isObject(value)) return value
    const isDense = /dense|vector|knn|semantic|embed/i.test(String(value.retriever))
    return { ...value, kind: isDense ? 'dense' : 'lexical', subQuery: subQuery(value.subQuery) }
  }
  const step = (value: unknown): unknown => {
    if (!isObject(value)) return value
    if (value.type === 'fuse') return { ...value, lists: each(value.lists, withSubQuery) }
    if (value.type === 'decide') {
      const { subQueries: _, considered, ...kept } = value
      return considered === undefined ? kept : { ...kept, details: considered }
    }
    if (value.type !== 'retrieve') return value
    const { request, legs, ...kept } = value
    const asked = Array.isArray(legs) ? legs.map((one) => isObject(one) && subQuery(one.subQuery)) : []
    const distinct = new Map(asked.map((one) => [JSON.stringify(one), one]))
    const round = typeof request === 'number' ? request - 1 : request
    return { ...kept, round, subQueries: [...distinct.values()], legs: each(legs, leg) }
  }
  const hit = (value: unknown): unknown =>
    isObject(value) && value.provenance !== undefined
      ? { ...value, provenance: each(value.provenance, withSubQuery) }
      : value

  return {
    ...rest,
    version: 2,
    subQueries: each(subQueries, subQuery),
    steps: each(steps, step),
    outcome: isObject(outcome) ? { ...outcome, hits: each(outcome.hits, hit) } : outcome,
  }
}

const each = (values: unknown, change: (value: unknown) => unknown): unknown =>
  Array.isArray(values) ? values.map(change) : values
