/** Answers of an engine that are errors, as the engine worded them. */
import { QuerentError } from '../../../../src/errors.ts'
import type { EngineAnswer } from '../caller-engine.ts'
import { isObject, listOf, numberOf } from '../json.ts'
import { hasHits } from './engine-hits.ts'

/** An answer that is an error of the engine's, or no answer to a search: the application gets it as it is. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError'
  readonly answer: EngineAnswer

  constructor(answer: EngineAnswer) {
    const what = answer.status < 400 ? ', but without hits' : detail(answer.body)
    super(`The engine answered with status ${answer.status}${what}`)
    this.answer = answer
  }
}

/** Whether more than the caller asked for may be what the engine refuses: too much, or what it does not have. */
export const isRefusal = ({ status, body }: EngineAnswer): boolean =>
  status === 400 || (isObject(body) && isTooLarge(body.error))

/** Whether the engine has no memory for it: that may be said of the whole, or of what it failed at. */
const isTooLarge = (error: unknown): boolean =>
  isObject(error) &&
  (error.type === 'circuit_breaking_exception' || listOf(error.root_cause ?? []).some(isTooLarge))

/** What is wrong with one response of an `_msearch`, if something is. */
export function errorOf(response: unknown): Error | undefined {
  if (!isObject(response)) return new QuerentError('retriever-failed', 'A search had no answer')
  const status = numberOf(response.status) ?? 200
  if (response.error === undefined && status < 400)
    return hasHits(response)
      ? undefined
      : new QuerentError('retriever-failed', 'A search was answered without hits')
  return requestError({ status, body: response })
}

/** The error that a request of ours was answered with, as clients have it: with when to ask again, where that is said. */
export function requestError({ status, body, headers }: Omit<EngineAnswer, 'own'>): Error {
  const error = new Error(`The engine answered with status ${status}${detail(body)}`)
  return Object.assign(error, { name: 'ResponseError', statusCode: status, headers, body })
}

/** The engine's own words: an error is an object with a type and a reason, or a text. */
function detail(body: unknown): string {
  const error = isObject(body) ? body.error : undefined
  if (isObject(error)) return `: ${String(error.type)}: ${String(error.reason)}`
  return typeof error === 'string' ? `: ${error}` : ''
}
