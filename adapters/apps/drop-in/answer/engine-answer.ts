/** Error answers of an engine, in the engine's own words. */
import { QuerentError } from '../../../../src/errors.ts'
import { fieldsOf } from '../../../resilience/retry-after.ts'
import { isObject, listOf, numberOf } from '../parse/json.ts'
import { hasHits } from './engine-hits.ts'

/** A response of the engine, with any status. */
export interface EngineAnswer {
  /** The parsed body, also of an error. */
  readonly body: unknown
  readonly status: number
  /** The headers that say when to send the request again. */
  readonly headers?: unknown
  /** The same response in the form that the application receives. */
  readonly own: unknown
  /** Why the caller's own request was answered in place of a larger one. */
  readonly failure?: Error | undefined
}

/** An error answer of the engine, or an answer that has no hits. The application gets it unchanged. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError'
  readonly answer: EngineAnswer
  /** What happened, without the engine's words. */
  readonly what: string

  constructor(answer: EngineAnswer) {
    const what = answer.status < 400 ? ', but without hits' : detail(answer.body)
    super(`The engine answered with status ${answer.status}${what}`)
    this.answer = answer
    this.what = `the engine answered ${answer.status}${answer.status < 400 ? ' without hits' : ''}`
  }
}

/** Failures that the caller's own search would share: its rights, its index, the load. A timeout has used up the caller's time. */
const ofCaller = new Set<unknown>([401, 403, 404, 429, 'TimeoutError', 'AnswerError', 'QuerentError'])

/**
 * Whether an answer, or what was thrown, may come of asking for more than the caller did: the engine, a gateway or the application's
 * client may limit what is asked for or answered. So may any failure but those of the caller.
 */
export function isRefusal(failure: unknown): boolean {
  const { name, status, statusCode = status, body } = fieldsOf(failure)
  if (isObject(body) && isTooLarge(body.error)) return true
  return !(Number(statusCode) < 400 || ofCaller.has(statusCode) || ofCaller.has(name))
}

/** Errors of a shard that come of what is asked of it. Others, such as a shard that is on no node, come whatever is asked. */
const ofRequest = new Set([
  'illegal_argument_exception',
  'parsing_exception',
  'query_shard_exception',
  'too_many_clauses',
])

/** The same for an answer in which some shards failed. */
export const isRefusedInPart = (body: unknown): boolean =>
  isObject(body) &&
  isObject(body._shards) &&
  listOf(body._shards.failures ?? []).some(
    (failure) =>
      isObject(failure) &&
      isObject(failure.reason) &&
      (isTooLarge(failure.reason) || ofRequest.has(String(failure.reason.type))),
  )

/** Whether the engine lacks memory for the request. The error itself or one of its root causes may say so. */
const isTooLarge = (error: unknown): boolean =>
  isObject(error) &&
  (error.type === 'circuit_breaking_exception' || listOf(error.root_cause ?? []).some(isTooLarge))

/** The error of one response of an `_msearch`, if it has one. */
export function errorOf(response: unknown): Error | undefined {
  if (!isObject(response)) return new QuerentError('retriever-failed', 'A search had no answer')
  const status = numberOf(response.status) ?? 200
  if (response.error === undefined && status < 400)
    return hasHits(response)
      ? undefined
      : new QuerentError('retriever-failed', 'A search was answered without hits')
  return requestError({ status, body: response })
}

/** The error for a failed request of Querent's, in the form of a client's error. Its headers may say when to retry. */
export function requestError({ status, body, headers }: Omit<EngineAnswer, 'own'>): Error {
  const error = new Error(`The engine answered with status ${status}${detail(body)}`)
  return Object.assign(error, { name: 'ResponseError', statusCode: status, headers, body })
}

/** The engine's error message. An error is an object with a type and a reason, or a string. */
function detail(body: unknown): string {
  const error = isObject(body) ? body.error : undefined
  if (isObject(error)) return `: ${String(error.type)}: ${String(error.reason)}`
  return typeof error === 'string' ? `: ${error}` : ''
}
