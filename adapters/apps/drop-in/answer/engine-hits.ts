/** The hits of an engine's answer, as fusion needs them. Each hit has an identity that no other document has. */
import type { Document, Hit } from '../../../../src/types.ts'
import { isObject, type JsonObject, numberOf } from '../parse/json.ts'

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
