/** Reads all hits of a search, page by page, as they were when it began. */
import { QuerentError } from '../../../src/errors.ts'
import { isObject } from '../../../src/runtime/json.ts'
import { incompleteness } from './answer.ts'
import type { CallOptions, Cluster, ClusterRequest } from './cluster.ts'
import type { DocumentAddress } from './docid.ts'

export interface EngineHit extends DocumentAddress {
  readonly _source?: unknown
}

/** Hits in one page, and how long the engine keeps the scroll open between two pages. */
const reading = { size: 1000, keep: '2m' }

const scrolling = { name: 'scroll', path: '/_search/scroll' } as const

/**
 * @param path of the search: `/<index>/_search`
 * @param body of the search, without a size
 * @throws the client's errors; QuerentError `retriever-failed` for an answer that lacks hits
 */
export async function* scrolledHits(
  engine: Cluster,
  path: string,
  body: object,
  call: CallOptions = {},
): AsyncGenerator<readonly EngineHit[]> {
  const send = async (request: ClusterRequest): Promise<unknown> => (await engine.send(request, call)).body
  let request: ClusterRequest = {
    name: 'search',
    method: 'POST',
    path,
    querystring: { scroll: reading.keep },
    body: { ...body, size: reading.size },
  }
  let scroll_id: unknown
  try {
    for (;;) {
      const answer = await send(request)
      scroll_id = isObject(answer) ? answer._scroll_id : undefined
      const hits = allHitsIn(answer)
      if (hits.length === 0) return
      yield hits
      request = { ...scrolling, method: 'POST', body: { scroll: reading.keep, scroll_id } }
    }
  } finally {
    // If this fails, the scroll expires by itself.
    if (scroll_id !== undefined)
      await send({ ...scrolling, method: 'DELETE', body: { scroll_id: [scroll_id] } }).catch(() => {})
  }
}

/** The hits of an answer. Engines answer with those of the other shards if some shards fail. @throws QuerentError `retriever-failed` */
export function allHitsIn(answer: unknown): readonly EngineHit[] {
  const missing = isObject(answer) && isObject(answer.hits) ? incompleteness(answer) : 'it has none'
  if (missing === undefined) return hitsIn(answer)
  throw new QuerentError('retriever-failed', `An answer of the cluster lacks hits: ${missing}`, {
    remedy: 'Wait until its shards answer again, or look into its log.',
  })
}

export function hitsIn(answer: unknown): readonly EngineHit[] {
  const hits = isObject(answer) && isObject(answer.hits) ? answer.hits.hits : undefined
  return Array.isArray(hits) ? hits : []
}
