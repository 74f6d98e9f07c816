/** New documents first: the last step of a search, where the query asks for what is new. */
import { parseConfig } from './config.ts'
import { type RecencyOptions, recencySchema } from './last-steps.ts'
import type { Policy, Tools } from './policy.ts'
import type { DocumentOf } from './reranker.ts'
import { fieldIn } from './runtime/json.ts'
import { asksForRecent } from './text/asks-for-recent.ts'
import type { Hit } from './types.ts'
import { declarationOf } from './with-rerank.ts'

/** Hits that are looked at, however few the caller wants. */
const window = 100

/** Whether the hits of a query are ordered by their age, too. */
export const isByAge = ({ when = 'asked' }: RecencyOptions, query: string): boolean =>
  when === 'always' || asksForRecent(query)

/**
 * Wraps a policy. Its hits, re-ranked ones too, are ordered by 1/rank times 0.5^(age/halfLife): age can be weighed against rank alone,
 * since scores of methods and re-rankers have scales of their own. Other queries, and hits without dates, stay as they are.
 *
 * @param options undefined: the policy as it is
 * @throws QuerentError `bad-config` that names the wrong option
 */
export function withRecency(policy: Policy, options: RecencyOptions | undefined): Policy {
  if (options === undefined) return policy
  const given = parseConfig(recencySchema, options, 'recency')
  const { field, halfLife, now = Date.now } = given
  const { reads: _, ...declared } = declarationOf(policy)

  function byAge(hits: readonly Hit[], documentOf: DocumentOf): readonly Hit[] {
    const time = now()
    const factors = hits.map(({ docid, document = documentOf(docid) }) => {
      const date = timeOf(fieldIn(document?.metadata, field))
      return date === undefined ? 1 : 0.5 ** (Math.max(0, time - date) / (halfLife * day))
    })
    if (factors.every((factor) => factor === 1)) return hits
    return hits
      .map((hit, place) => ({
        ...hit,
        score: factors[place]! / (place + 1),
        recency: factors[place]!,
        fused: hit.fused ?? { rank: hit.rank, score: hit.score },
      }))
      .sort((one, other) => other.score - one.score)
      .map((hit, place) => ({ ...hit, rank: place + 1 }))
  }

  return {
    ...declared,
    ...(policy.reads === true && { reads: true }),
    async run(query, tools) {
      if (!isByAge(given, query.text)) return policy.run(query, tools)
      const k = Math.max(tools.k, window)
      const deeper: Tools = {
        ...tools,
        k,
        fuse: (legs, request) => tools.fuse(legs, { k, ...request }),
        rerank: (reranker, hits, request) => tools.rerank(reranker, hits, { k, ...request }),
      }
      const outcome = await policy.run(query, deeper)
      const { hits } = outcome
      const ordered = await tools.documents(hits.map(({ docid }) => docid)).then(
        (documentOf) => byAge(hits, documentOf),
        () => hits,
      )
      return { ...outcome, hits: ordered.slice(0, tools.k) }
    },
    ...(policy.close && { close: () => policy.close!() }),
  }
}

const day = 24 * 60 * 60 * 1000

/** Larger numbers are milliseconds: as seconds, they would lie behind the year 5000. */
const mostSeconds = 1e11

/** Milliseconds since 1970. Engines write numbers of dates as texts, too. Of a list, the latest date counts. */
function timeOf(value: unknown): number | undefined {
  if (Array.isArray(value)) {
    const times = value.flatMap((one) => timeOf(one) ?? [])
    return times.length === 0 ? undefined : Math.max(...times)
  }
  const number = typeof value === 'string' && /^-?\d{5,}$/.test(value) ? Number(value) : value
  if (typeof number === 'number') return number < mostSeconds ? number * 1000 : number
  const parsed = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(parsed) ? undefined : parsed
}
