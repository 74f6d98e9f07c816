/** What an engine found, as far as fusion looks at it: each hit by an identity that no other document has. */
import type { Document, Hit } from '../../../../src/types.ts'
import { isObject, type JsonObject, numberOf } from '../json.ts'

/** A hit, and how the engine gave it. */
export interface FoundHit extends Hit {
  readonly given: JsonObject
}

/** Whether an answer has a list of hits: a `filter_path` or a foreign server may leave it out. */
export const hasHits = (answer: unknown): answer is JsonObject => listIn(answer) !== undefined

/** Whether an answer has a list of hits that is empty. */
export const isEmpty = (answer: unknown): boolean => listIn(answer)?.length === 0

/**
 * The hits of an answer in its order; what has no score or no `_id` is given as one that cannot be fused.
 *
 * @param documentOf the texts of a hit
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

/** Where something else breaks ties, the score is what the hit is sorted by first. */
const scoreOf = ({ _score, sort }: JsonObject): number =>
  numberOf(_score) ?? numberOf(Array.isArray(sort) ? sort[0] : undefined) ?? Number.NaN

function listIn(answer: unknown): readonly unknown[] | undefined {
  const list = isObject(answer) && isObject(answer.hits) ? answer.hits.hits : undefined
  return Array.isArray(list) ? list : undefined
}

/** A document is its index, its id and its routing: two indices may use one id, and one index may under two routings. */
export function identity({ _index, _id, _routing }: JsonObject): string {
  if (_routing !== undefined) return JSON.stringify([_index, _id, _routing])
  return isPlain(_index) && isPlain(_id) ? `["${_index}","${_id}"]` : JSON.stringify([_index, _id])
}

/** Whether JSON writes it as it is, which is so of nearly all: to look takes a third of the time that JSON does. */
const isPlain = (value: unknown): value is string => typeof value === 'string' && /^[\w.:-]*$/.test(value)

/** Why hits may be missing from an answer, if the engine says so. */
export function whyIncomplete(answer: JsonObject): string | undefined {
  if (answer.timed_out === true) return 'its time was up'
  const shards = isObject(answer._shards) ? answer._shards : {}
  const failed = numberOf(shards.failed) ?? 0
  return failed === 0 ? undefined : `${failed} of ${String(shards.total)} shards failed`
}
