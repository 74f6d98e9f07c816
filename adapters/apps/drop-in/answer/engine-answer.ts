/** Answers of an engine: their errors, in the engine's own words, and their hits, each with an identity that no other document has. */
import { QuerentError } from '../../../../src/errors.ts'
import type { Document, Hit } from '../../../../src/types.ts'
import { fieldsOf } from '../../../resilience/retry-after.ts'
import { isObject, type JsonObject, listOf, numberOf } from '../parse/json.ts'

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

/** A hit, with the form in which the engine returned it. */
export interface FoundHit extends Hit {
  readonly given: JsonObject
}

/** Whether an answer has a list of hits. A `filter_path` or an unknown server may leave it out. */
export const hasHits = (answer: unknown): answer is JsonObject => listIn(answer) !== undefined

/** Whether an answer has an empty list of hits. */
export const isEmpty = (answer: unknown): boolean => listIn(answer)?.length === 0

/**
 * The hits of an answer, in order. A hit without a score or an `_id` gets the score NaN: it cannot be fused.
 *
 * @param documentOf returns the texts of a hit
 */
export function hitsOf(
  answer: JsonObject,
  documentOf: (docid: string, hit: JsonObject) => Document | undefined,
): FoundHit[] {
  return (listIn(answer) ?? []).filter(isObject).map((given, index) => {
    const docid = identity(given)
    const document = documentOf(docid, given)
    const score = given._id === undefined ? Number.NaN : scoreOf(given)
    return { docid, score, rank: index + 1, given, ...(document && { document }) }
  })
}

/** If the sort breaks ties, the score is the first sort value. */
const scoreOf = ({ _score, sort }: JsonObject): number =>
  numberOf(_score) ?? numberOf(Array.isArray(sort) ? sort[0] : undefined) ?? Number.NaN

function listIn(answer: unknown): readonly unknown[] | undefined {
  const list = isObject(answer) && isObject(answer.hits) ? answer.hits.hits : undefined
  return Array.isArray(list) ? list : undefined
}

/**
 * The identity of a document: its index, id and routing. Two indices may use the same id, and so may one index under two
 * routings.
 */
export function identity({ _index, _id, _routing }: JsonObject): string {
  if (_routing !== undefined) return JSON.stringify([_index, _id, _routing])
  return isPlain(_index) && isPlain(_id) ? `["${_index}","${_id}"]` : JSON.stringify([_index, _id])
}

/**
 * Whether JSON writes the string without escapes. Nearly all strings are plain, and the check takes a third of the time of
 * JSON.stringify.
 */
const isPlain = (value: unknown): value is string => typeof value === 'string' && /^[\w.:-]*$/.test(value)

/** Why hits may be missing from an answer, if the engine says so. */
export function whyIncomplete(answer: JsonObject): string | undefined {
  if (answer.timed_out === true) return 'its time was up'
  const shards = isObject(answer._shards) ? answer._shards : {}
  const failed = numberOf(shards.failed) ?? 0
  return failed === 0 ? undefined : `${failed} of ${String(shards.total)} shards failed`
}
