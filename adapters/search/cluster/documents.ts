/** The documents of an index on a cluster, by docid and all in turn. */
import { parseConfig } from '../../../src/config.ts'
import type { Document } from '../../../src/types.ts'
import { callOf } from './caller.ts'
import type { Cluster, ClusterRequest } from './cluster.ts'
import { docidOf, idsOf, type Place } from './docid.ts'
import { documentOf, sourceOf } from './document.ts'
import { isObject } from './object.ts'
import { type ClusterDocumentsOptions, clausesOf, documentsSchema } from './options.ts'

export interface ClusterDocuments {
  /** How many there are. */
  count(signal?: AbortSignal): Promise<number>
  /** The documents of these docids, in their order; `undefined` for one that is not there. */
  get(docids: readonly string[], signal?: AbortSignal): Promise<readonly (Document | undefined)[]>
  /** Which of these docids are there, in their order, whether or not their texts can be had. */
  has(docids: readonly string[], signal?: AbortSignal): Promise<readonly boolean[]>
  /** All documents, in the order of the index. */
  all(signal?: AbortSignal): AsyncIterable<Document>
}

/** Docids that are looked up in one request, and hits that it may have: an id may stand in several indexes. */
const lookup = { docids: 500, hits: 10_000 }

/** Documents that are read at a time, and how long an engine keeps its place between two readings. */
const reading = { size: 1000, keep: '2m' }

/**
 * Finds documents by a search for their ids, so that aliases, filters and what a caller may see count here, too.
 *
 * @throws QuerentError `bad-config`; what the client throws, from each of the functions
 */
export function clusterDocuments(engine: Cluster, options: ClusterDocumentsOptions): ClusterDocuments {
  const settings = parseConfig(documentsSchema, options, `The documents on ${engine.kind}`)
  const indexes = [settings.index].flat()
  const path = `/${indexes.map(encodeURIComponent).join(',')}`
  const own = indexes.length === 1 ? indexes[0] : undefined
  const filter = clausesOf(settings.filter)
  const { headers } = callOf(settings, {})
  const _source = sourceOf(settings)

  async function send(request: ClusterRequest, signal?: AbortSignal): Promise<unknown> {
    return (await engine.send(request, { ...(headers && { headers }), signal })).body
  }

  const nameOf = (hit: EngineHit): string => (settings.docid === 'id' ? hit._id : docidOf(hit, own))

  const documentsOf = (hits: readonly EngineHit[]): Document[] =>
    hits.flatMap((hit) => documentOf(nameOf(hit), hit._source, settings) ?? [])

  /** The hits with these docids, a request for so many docids. */
  async function* find(
    docids: readonly string[],
    _source: readonly string[] | false,
    signal?: AbortSignal,
  ): AsyncGenerator<readonly EngineHit[]> {
    for (let first = 0; first < docids.length; first += lookup.docids) {
      const asked = docids.slice(first, first + lookup.docids)
      const values = [...new Set(asked.flatMap((docid) => (settings.docid === 'id' ? docid : idsOf(docid))))]
      const query = { bool: { filter: [{ ids: { values } }, ...filter] } }
      const body = { query, size: lookup.hits, _source, track_total_hits: false }
      const request = { name: 'search', method: 'POST', path: `${path}/_search`, body } as const
      yield hitsIn(await send(request, signal))
    }
  }

  return {
    async count(signal) {
      const body = { query: { bool: { filter } } }
      const answer = await send({ name: 'count', method: 'POST', path: `${path}/_count`, body }, signal)
      return isObject(answer) ? Number(answer.count) : Number.NaN
    },

    async get(docids, signal) {
      const found = new Map<string, Document>()
      for await (const hits of find(docids, _source, signal))
        for (const document of documentsOf(hits)) found.set(document.docid, document)
      return docids.map((docid) => found.get(docid))
    },

    async has(docids, signal) {
      const found = new Set<string>()
      for await (const hits of find(docids, false, signal)) for (const hit of hits) found.add(nameOf(hit))
      return docids.map((docid) => found.has(docid))
    },

    async *all(signal) {
      const body = { query: { bool: { filter } }, size: reading.size, sort: ['_doc'], _source }
      const querystring = { scroll: reading.keep }
      let request: ClusterRequest = {
        name: 'search',
        method: 'POST',
        path: `${path}/_search`,
        querystring,
        body,
      }
      let scroll_id: unknown
      try {
        for (;;) {
          const answer = await send(request, signal)
          scroll_id = isObject(answer) ? answer._scroll_id : undefined
          const hits = hitsIn(answer)
          if (hits.length === 0) return
          yield* documentsOf(hits)
          request = { ...scrolling, method: 'POST', body: { scroll: reading.keep, scroll_id } }
        }
      } finally {
        // It ends by itself as well.
        await send({ ...scrolling, method: 'DELETE', body: { scroll_id: [scroll_id] } }).catch(() => {})
      }
    },
  }
}

const scrolling = { name: 'scroll', path: '/_search/scroll' } as const

interface EngineHit extends Place {
  readonly _source?: unknown
}

function hitsIn(answer: unknown): readonly EngineHit[] {
  const hits = isObject(answer) && isObject(answer.hits) ? answer.hits.hits : undefined
  return Array.isArray(hits) ? hits : []
}
