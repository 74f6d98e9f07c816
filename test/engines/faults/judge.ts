/** What became of a search through Querent, beside what becomes of it directly through the same fault. */
import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject, listOf } from '../../../adapters/apps/drop-in/parse/json.ts'
import type { End } from './callers.ts'

/**
 * `same`: the direct one. `said`: the direct one, and Querent says what failed. `part`: at least the hits of the direct
 * one, and it says what is missing. `fused`: at least those, and nothing is missing. `gateway`: the proxy says that the
 * engine cannot be reached, where the direct caller's connection failed. Anything else is wrong.
 */
export type Verdict = 'same' | 'said' | 'part' | 'fused' | 'gateway' | `wrong: ${string}`

export function judge(direct: End, through: End, said: readonly string[]): Verdict {
  const lost = said.find((one) => /^failed|in part|may be missing|; failed/.test(one))
  const changed = said.find((one) => one.startsWith('changed'))
  if (isDeepStrictEqual(withoutTimes(through), withoutTimes(direct))) {
    if (changed !== undefined) return 'wrong: it is said to be changed, and is not'
    return lost === undefined || isError(direct) ? 'same' : 'said'
  }
  if ('error' in direct && !('error' in through) && isBadGateway(through)) return 'gateway'
  if ('error' in through || 'error' in direct || through.status !== 200)
    return `wrong: ${JSON.stringify(through).slice(0, 500)} and not ${JSON.stringify(direct).slice(0, 500)}`
  const [had, has] = [answersIn(direct.body), answersIn(through.body)]
  if (had.length !== has.length) return 'wrong: another number of answers'
  for (const [place, answer] of has.entries()) {
    const loss = losses(had[place]!, answer)
    if (loss !== undefined) return `wrong: ${loss}`
  }
  if (lost !== undefined)
    return lost.startsWith('failed') && changed === undefined ? `wrong: it is said that ${lost}` : 'part'
  return said.some((one) => /^(un)?changed/.test(one)) ? 'fused' : `wrong: it is said that ${said[0]}`
}

/** Those of an `_msearch`, or the one of a search. */
const answersIn = (body: unknown): readonly JsonObject[] =>
  isObject(body) ? (Array.isArray(body.responses) ? (body.responses as JsonObject[]) : [body]) : []

/** What the direct answer has and this one has not. */
function losses(had: JsonObject, has: JsonObject): string | undefined {
  const [ids, own] = [idsOf(has), idsOf(had)]
  const lost = own.filter((id) => !ids.includes(id))
  if (lost.length > 0) return `it has lost ${lost.join()}`
  if (new Set(ids).size < ids.length && new Set(own).size === own.length) return 'it has a hit twice'
  if (had.timed_out === true && has.timed_out !== true) return 'it does not say that its time was up'
  if (failedShards(had) > failedShards(has)) return 'it does not say that shards failed'
  return undefined
}

const idsOf = ({ hits }: JsonObject): string[] =>
  isObject(hits) ? listOf(hits.hits).map((hit) => String((hit as JsonObject)._id)) : []

const failedShards = ({ _shards }: JsonObject): number => (isObject(_shards) ? Number(_shards.failed) : 0)

const isError = (end: End): boolean => 'error' in end || end.status >= 300 || !isObject(end.body)

const isBadGateway = ({ status, body }: { readonly status: number; readonly body: unknown }): boolean =>
  status === 502 && JSON.stringify(body).includes('querent_bad_gateway')

/** What is the same whenever it is asked. */
function withoutTimes({ body, ...end }: End): unknown {
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
  return { ...end, body: text.replace(/"took":\d+/g, '') }
}
