/** Builds an index on a cluster. A build can be stopped or killed at any time. The same call then continues it. */
import { createHash } from 'node:crypto'
import { isObject } from '../../../src/runtime/json.ts'
import type { Document, Embedder } from '../../../src/types.ts'
import { type BuildOptions, checkedDocuments, type Documents } from '../corpus.ts'
import { batchesOf, embedAll, titleAndText } from '../encoded-documents.ts'
import type { Cluster } from './cluster.ts'
import { checkNote, type IndexedVectors, newIndex, noteOf, vectorField } from './mapping.ts'
import { wellFormed } from './words.ts'

export interface ClusterIndexOptions extends BuildOptions {
  /** The name of the index, which is created if it does not exist. */
  readonly index: string
  /** Embeds the documents. Without it, the index has no vectors. */
  readonly dense?: Embedder | undefined
  /** The name or folder that finds the embedder again. Default: the embedder's name. */
  readonly model?: string | undefined
  /** Distinguishes the vectors of this model from those of every other. Default: the embedder's name. */
  readonly identity?: string | undefined
}

export interface BuiltClusterIndex {
  /** Number of documents in the corpus. */
  readonly documents: number
  /** Number of documents that were written. The others were already in the index, unchanged. */
  readonly written: number
  /** Number of documents in the index, including those that are not in the corpus. */
  readonly indexed: number
}

/** Documents looked up and written at a time. With vectors, a killed build may have to embed this many again. */
const batchSize = { words: 500, vectors: 32 }

/**
 * Writes a corpus to an index of the cluster, and creates the index if it does not exist. Leaves unchanged documents alone,
 * without embedding them again. Replaces changed documents. Of two concurrent calls, one repeats the other's work.
 *
 * @throws QuerentError `bad-index` if the index exists but was built differently; `bad-document` for a duplicate docid;
 *   `retriever-failed` if the cluster refused documents. Errors of the client, `documents` and the embedder are thrown unchanged.
 */
export async function buildClusterIndex(
  engine: Cluster,
  documents: Documents,
  options: ClusterIndexOptions,
): Promise<BuiltClusterIndex> {
  const { index, dense, signal, onProgress } = options
  signal?.throwIfAborted()
  await makeIndex(engine, index, vectorsOf(options), signal)
  let done = 0
  let written = 0
  const size = dense === undefined ? batchSize.words : batchSize.vectors
  for await (const batch of batchesOf(checkedDocuments(documents, signal && { signal }), size)) {
    const missing = await missingOf(engine, index, batch, signal)
    if (missing.length > 0) await engine.write(index, await entriesOf(missing, dense, signal), signal)
    written += missing.length
    done += batch.length
    onProgress?.(done)
  }
  if (done === 0) onProgress?.(0)
  return { documents: done, written, indexed: await countOf(engine, index, signal) }
}

function vectorsOf({ dense, model, identity }: ClusterIndexOptions): IndexedVectors | undefined {
  if (dense === undefined) return undefined
  const { name, dimensions } = dense
  return { model: model ?? name, name, dimensions, identity: identity ?? name }
}

async function makeIndex(
  engine: Cluster,
  index: string,
  dense: IndexedVectors | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { exists, note } = await noteOf(engine, index, signal)
  if (exists) return checkNote(index, note, dense)
  const path = `/${encodeURIComponent(index)}`
  const body = newIndex(engine, dense)
  await engine.send({ name: 'indices.create', method: 'PUT', path, body }, { signal })
}

/** The documents of a batch that are new or changed. Looks them up by id, which finds documents before a search does. */
async function missingOf(
  engine: Cluster,
  index: string,
  batch: readonly Document[],
  signal: AbortSignal | undefined,
): Promise<readonly Document[]> {
  const path = `/${encodeURIComponent(index)}/_mget`
  const ids = batch.map(({ docid }) => docid)
  const querystring = { _source_includes: 'digest' }
  const answer = await engine.send(
    { name: 'mget', method: 'POST', path, querystring, body: { ids } },
    { signal },
  )
  const found = isObject(answer.body) && Array.isArray(answer.body.docs) ? answer.body.docs : []
  const digests = new Map<unknown, unknown>(found.map((one) => [one?._id, one?._source?.digest]))
  return batch.filter((document) => digests.get(document.docid) !== digestOf(document))
}

async function entriesOf(
  documents: readonly Document[],
  dense: Embedder | undefined,
  signal: AbortSignal | undefined,
) {
  const options = { kind: 'document', ...(signal && { signal }) } as const
  const vectors = dense && (await embedAll(dense, documents.map(titleAndText), options))
  return documents.map((document, place) => {
    const { docid, title, text, metadata } = document
    const vector = vectors?.[place]
    return {
      id: docid,
      source: {
        docid,
        ...(title !== undefined && { title: wellFormed(title) }),
        text: wellFormed(text),
        ...(metadata && { metadata }),
        digest: digestOf(document),
        ...(vector && { [vectorField]: [...vector] }),
      },
    }
  })
}

/** A digest of all stored fields of a document. */
function digestOf({ title, text, metadata }: Document): string {
  const content = JSON.stringify([title, text, metadata])
  return createHash('sha256').update(content).digest('base64url').slice(0, 22)
}

async function countOf(engine: Cluster, index: string, signal: AbortSignal | undefined): Promise<number> {
  const path = `/${encodeURIComponent(index)}`
  await engine.send({ name: 'indices.refresh', method: 'POST', path: `${path}/_refresh` }, { signal })
  const { body } = await engine.send({ name: 'count', method: 'GET', path: `${path}/_count` }, { signal })
  return isObject(body) ? Number(body.count) : Number.NaN
}
