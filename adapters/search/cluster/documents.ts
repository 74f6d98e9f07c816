/** Reads the documents of an index on a cluster: by docid, or all of them. */
import { parseConfig } from '../../../src/config.ts'
import { isObject } from '../../../src/runtime/json.ts'
import type { Document } from '../../../src/types.ts'
import { callOf } from './caller.ts'
import type { Cluster, ClusterRequest } from './cluster.ts'
import { docidOf, idsOf } from './docid.ts'
import { documentOf, sourceOf } from './document.ts'
import { type ClusterDocumentsOptions, clausesOf, documentsSchema } from './options.ts'
import { allHitsIn, type EngineHit, hitsIn, scrolledHits } from './scroll.ts'

export interface ClusterDocuments {
  /** Number of documents. */
  count(signal?: AbortSignal): Promise<number>
  /** The documents with these docids, in the same order. `undefined` for a missing one, or one whose shard does not answer. */
  get(docids: readonly string[], signal?: AbortSignal): Promise<readonly (Document | undefined)[]>
  /** Whether each of these docids exists, in the same order, even if its text cannot be read. Rejects if a shard does not answer. */
  has(docids: readonly string[], signal?: AbortSignal): Promise<readonly boolean[]>
  /** All documents, in the order of the index. Rejects if a shard does not answer. */
  all(signal?: AbortSignal): AsyncIterable<Document>
}

/** Docids in one request, and its maximum number of hits. An id may occur in several indexes. */
const lookup = { docids: 500, hits: 10_000 }

/**
 * Finds documents by a search for their ids, so aliases, filters and the caller's permissions apply.
 *
 * @throws QuerentError `bad-config`; each of the functions throws the client's errors
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

  /** The answers with these docids, one or more. */
  async function* find(
    docids: readonly string[],
    _source: readonly string[] | false,
    signal?: AbortSignal,
  ): AsyncGenerator<unknown> {
    for (let first = 0; first < docids.length; first += lookup.docids) {
      const batch = docids.slice(first, first + lookup.docids)
      const values = [...new Set(batch.flatMap((docid) => (settings.docid === 'id' ? docid : idsOf(docid))))]
      const query = { bool: { filter: [{ ids: { values } }, ...filter] } }
      const body = { query, size: lookup.hits, _source, track_total_hits: false }
      const request = { name: 'search', method: 'POST', path: `${path}/_search`, body } as const
      yield await send(request, signal)
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
      // A search goes on with the documents of the shards that answer.
      for await (const answer of find(docids, _source, signal))
        for (const document of documentsOf(hitsIn(answer))) found.set(document.docid, document)
      return docids.map((docid) => found.get(docid))
    },

    async has(docids, signal) {
      const found = new Set<string>()
      for await (const answer of find(docids, false, signal))
        for (const hit of allHitsIn(answer)) found.add(nameOf(hit))
      return docids.map((docid) => found.has(docid))
    },

    async *all(signal) {
      const body = { query: { bool: { filter } }, sort: ['_doc'], _source }
      const call = { ...(headers && { headers }), signal }
      for await (const hits of scrolledHits(engine, `${path}/_search`, body, call)) yield* documentsOf(hits)
    },
  }
}
