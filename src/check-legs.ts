/** What a retriever answered, made safe to fuse: whatever is wrong with a leg becomes the error of that leg. */
import { subQueryKey } from './dedupe.ts'
import { QuerentError, toError } from './errors.ts'
import type { Leg, RankedList, Retriever, RetrieverKind, SubQuery } from './types.ts'

/**
 * The legs of an answer: cut to `k` hits, each with the sub-query that was asked for. What was not asked for is left
 * out; a sub-query that was left out, and a leg that is no list of hits with docids and finite scores, are legs with an
 * error, so that one bad leg does not spoil the fusion of the others.
 *
 * @throws QuerentError `retriever-failed` where the answer is no list of legs at all
 */
export function checkedLegs(
  retriever: Pick<Retriever, 'name' | 'kind' | 'legs'>,
  subQueries: readonly SubQuery[],
  answer: unknown,
  k: number,
): Leg[] {
  const { name: own, kind } = retriever
  if (!Array.isArray(answer)) throw broken(`Retriever "${own}" answered with no list of legs`)
  const legs: Leg[] = []
  for (const given of answer as readonly Partial<Leg>[]) {
    const key = given?.subQuery && subQueryKey(given.subQuery)
    const subQuery = subQueries.find((one) => subQueryKey(one) === key)
    if (subQuery === undefined) continue
    const name = typeof given.retriever === 'string' ? given.retriever : own
    const legsKind = given.kind ?? legKind(retriever, name)
    const ofKind = legsKind && { kind: legsKind }
    const error = errorOf(given, `Retriever "${name}", "${subQuery.text}"`)
    if (error !== undefined) legs.push({ retriever: name, subQuery, error, ...ofKind })
    else {
      const { hits, incomplete } = given as RankedList & { readonly incomplete?: string }
      const cut = { retriever: name, subQuery, hits: hits.slice(0, k), ...ofKind }
      legs.push(incomplete === undefined ? cut : { ...cut, incomplete })
    }
  }
  for (const subQuery of subQueries) {
    if (legs.some((leg) => leg.subQuery === subQuery)) continue
    legs.push({
      retriever: own,
      ...(kind && { kind }),
      subQuery,
      error: broken(`Retriever "${own}" left out "${subQuery.text}"`),
    })
  }
  return legs
}

/** The kind of a retriever's list of that name, as far as the retriever declares it. */
export const legKind = (
  { kind, legs }: Pick<Retriever, 'kind' | 'legs'>,
  name: string,
): RetrieverKind | undefined => legs?.find((leg) => leg.name === name)?.kind ?? kind

/** Why a leg cannot be fused, if it cannot. */
function errorOf({ error, hits }: Partial<Leg>, where: string): Error | undefined {
  if (error !== undefined && error !== null) return toError(error)
  if (!Array.isArray(hits)) return broken(`${where}: there are neither hits nor an error`)
  const place = hits.findIndex((hit) => typeof hit?.docid !== 'string' || !Number.isFinite(hit.score))
  return place < 0 ? undefined : badHit(hits[place], `${where}, hit ${place + 1}`)
}

function badHit(hit: Readonly<Record<string, unknown>> | null | undefined, where: string): QuerentError {
  if (typeof hit !== 'object' || hit === null)
    return new QuerentError('bad-list', `${where} is ${String(hit)}, not a hit`)
  const { docid, score } = hit
  if (typeof docid === 'string')
    return new QuerentError('bad-list', `${where}: the score of ${JSON.stringify(docid)} is ${String(score)}`)
  return typeof docid === 'number'
    ? new QuerentError('bad-list', `${where}: the docid ${docid} is a number, not a string`, {
        remedy: `Return docids as strings, such as "${docid}".`,
      })
    : new QuerentError('bad-list', `${where}: the docid is ${String(docid)}, not a string`)
}

const broken = (what: string): QuerentError =>
  new QuerentError('retriever-failed', what, {
    remedy: 'Fix that retriever: it must answer each sub-query with one list of hits or an error.',
  })
