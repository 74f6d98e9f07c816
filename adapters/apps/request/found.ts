/** What an engine found, as far as fusion looks at it: each hit by an identity that no other document has. */
import type { Document, Hit } from '../../../src/types.ts'
import { isObject, type JsonObject, numberOf } from './json.ts'

/** A hit, and how the engine gave it. */
export interface FoundHit extends Hit {
  readonly given: JsonObject
}

/**
 * The hits of an answer in its order; what has no score is given as one that cannot be fused.
 *
 * @param documentOf the texts of a hit
 * @throws Error where the answer has no list of hits: its `filter_path` or a foreign server leaves it out
 */
export function hitsOf(
  answer: JsonObject,
  documentOf: (docid: string, hit: JsonObject) => Document | undefined,
): FoundHit[] {
  const list = isObject(answer.hits) ? answer.hits.hits : undefined
  if (!Array.isArray(list)) throw new Error('The answer has no hits.hits')
  return list.filter(isObject).map((given, index) => {
    const docid = identity(given)
    const document = documentOf(docid, given)
    const score = numberOf(given._score) ?? Number.NaN
    return { docid, score, rank: index + 1, given, ...(document && { document }) }
  })
}

/** A document is its index, its id and its routing: two indices may use one id, and one index may under two routings. */
export const identity = ({ _index, _id, _routing }: JsonObject): string =>
  JSON.stringify(_routing === undefined ? [_index, _id] : [_index, _id, _routing])

/** Why hits may be missing from an answer, if the engine says so. */
export function whyIncomplete(answer: JsonObject): string | undefined {
  if (answer.timed_out === true) return 'its time was up'
  const shards = isObject(answer._shards) ? answer._shards : {}
  const failed = numberOf(shards.failed) ?? 0
  return failed === 0 ? undefined : `${failed} of ${String(shards.total)} shards failed`
}
