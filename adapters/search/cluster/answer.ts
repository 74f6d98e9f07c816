/** Converts the answer to an `_msearch` to legs. */
import { QuerentError, toError } from '../../../src/errors.ts'
import { rankHits } from '../../../src/rank.ts'
import { isObject } from '../../../src/runtime/json.ts'
import type { Document, Hit, Leg, SubQuery } from '../../../src/types.ts'
import type { ClusterAnswer } from './cluster.ts'
import { docidOf } from './docid.ts'
import { type DocumentFields, documentOf } from './document.ts'

/** How to read hits. */
export interface Reading extends DocumentFields {
  /** The index that is searched, if it is exactly one. */
  readonly index: string | undefined
  readonly docid?: 'id' | undefined
}

/** The request for one leg. */
export interface LegRequest {
  readonly retriever: string
  readonly subQuery: SubQuery
  readonly k: number
}

/**
 * The parts of the answer, one for each search.
 *
 * @throws QuerentError `retriever-failed` if the number of parts is wrong: then parts cannot be matched to searches
 */
export function partsOf(name: string, { body }: ClusterAnswer, searches: number): readonly unknown[] {
  const parts = isObject(body) ? body.responses : undefined
  if (Array.isArray(parts) && parts.length === searches) return parts
  const found = Array.isArray(parts) ? `${parts.length} answers` : 'something else than answers'
  throw new QuerentError('retriever-failed', `Retriever "${name}" got ${found} to ${searches} searches`, {
    remedy: 'Look at what stands between here and the cluster: this is not what an engine answers.',
  })
}

/**
 * The leg of one search. A failed search fails only its own leg. An empty result is not an error.
 *
 * @param errorOf converts a failed part to an error
 */
export function legOf(
  request: LegRequest,
  part: unknown,
  reading: Reading,
  errorOf: (part: object) => Error,
): Leg {
  const { retriever, subQuery, k } = request
  try {
    if (!isObject(part)) throw unreadable(retriever, 'an answer that is no object')
    if ('error' in part || Number(part.status) >= 400) throw errorOf(part)
    const hits = hitsOf(part.hits, k, retriever, reading)
    const incomplete = incompleteness(part)
    return { retriever, subQuery, hits, ...(incomplete !== undefined && { incomplete }) }
  } catch (thrown) {
    return { retriever, subQuery, error: toError(thrown) }
  }
}

function hitsOf(found: unknown, k: number, retriever: string, reading: Reading): readonly Hit[] {
  const all = isObject(found) ? found.hits : undefined
  if (!Array.isArray(all)) throw unreadable(retriever, 'an answer without hits')
  const best = new Map<string, { readonly docid: string; readonly score: number }>()
  const documents = new Map<string, Document | undefined>()
  for (const hit of all) {
    const { docid, score } = scored(hit, retriever, reading)
    if (score <= (best.get(docid)?.score ?? Number.NEGATIVE_INFINITY)) continue
    best.set(docid, { docid, score })
    documents.set(docid, documentOf(docid, hit._source, reading))
  }
  // Engines leave the order of ties to their shards.
  return rankHits([...best.values()], k).map((hit) => {
    const document = documents.get(hit.docid)
    return document === undefined ? hit : { ...hit, document }
  })
}

/** The docid and the score of a hit. */
function scored(hit: unknown, retriever: string, { index, docid }: Reading) {
  if (!isObject(hit) || typeof hit._id !== 'string' || typeof hit._index !== 'string')
    throw unreadable(retriever, 'a hit without an _id')
  const { _index, _id, _routing, _score: score } = hit
  if (typeof score !== 'number' || !Number.isFinite(score)) {
    throw new QuerentError('bad-list', `Retriever "${retriever}": the _score of ${_id} is ${String(score)}`, {
      remedy: 'Fusion needs scores: search without `sort`.',
    })
  }
  const place = { _index, _id, ...(typeof _routing === 'string' && { _routing }) }
  return { docid: docid === 'id' ? _id : docidOf(place, index), score }
}

/** Why hits may be missing. `undefined` if none are. */
export function incompleteness({
  timed_out,
  _shards,
}: Readonly<Record<string, unknown>>): string | undefined {
  const reasons: string[] = []
  if (timed_out === true) reasons.push('the time of the search was up')
  const { failed, total, failures } = isObject(_shards) ? _shards : {}
  if (typeof failed === 'number' && failed > 0) {
    const first: unknown = Array.isArray(failures) ? failures[0] : undefined
    const reason = isObject(first) && isObject(first.reason) ? `: ${String(first.reason.reason)}` : ''
    reasons.push(`${failed} of ${String(total)} shards failed${reason}`)
  }
  return reasons.length === 0 ? undefined : reasons.join('; ')
}

const unreadable = (retriever: string, what: string): QuerentError =>
  new QuerentError('retriever-failed', `Retriever "${retriever}" got ${what}`, {
    remedy: 'Look at what stands between here and the cluster: this is not what an engine answers.',
  })
