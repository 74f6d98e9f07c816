/** Nearest vectors in this process: FAISS through faiss-node. */
import { join } from 'node:path'
import { z } from 'zod'
import { parseConfig } from '../../src/config.ts'
import { QuerentError } from '../../src/errors.ts'
import { rankHits } from '../../src/rank.ts'
import { replaceFile } from '../../src/runtime/atomic-file.ts'
import type { Document, Embedder, Hit, Retriever } from '../../src/types.ts'
import { type BuildOptions, checkedDocuments, type Documents } from './corpus.ts'
import {
  type FaissIndex,
  type HnswOptions,
  hnswDefaults,
  type IndexKind,
  newFaissIndex,
  openFaissIndex,
} from './faiss-index.ts'
import { type FaissLibrary, loadFaissLibrary } from './faiss-library.ts'
import { badIndex, readIndexFile } from './index-file.ts'
import { checkRequest } from './request.ts'

export interface OpenFaissOptions {
  /** Makes the vectors. Whoever made the embedder closes it. */
  readonly embedder: Embedder
  /** The retriever's name. Default: `dense`. */
  readonly name?: string
  /** faiss-node, where it cannot be found by its name. */
  readonly library?: FaissLibrary
}

export interface FaissOptions extends OpenFaissOptions {
  /** A graph instead of comparing with every vector: many times faster from some 10,000 vectors on, not exact. */
  readonly hnsw?: boolean | HnswOptions
  /** Whether the retriever keeps the documents, so that policies and re-ranking find their texts. Default: true. */
  readonly keepDocuments?: boolean
}

export interface Faiss extends Retriever {
  /** How many documents are in the index. */
  readonly size: number
  /** Writes the index into a folder: the vectors in one file, all else in another. */
  save(folder: string): Promise<void>
  close(): Promise<void>
}

/** Documents that are embedded in one call: embedders sort a batch by length and cut it as they need. */
const documentsPerBatch = 256

const vectorsFile = 'faiss.index'
const metadataFile = 'faiss.json'
const format = 'querent-faiss'

const metadataSchema = z.object({
  format: z.literal(format),
  version: z.literal(1),
  kind: z.discriminatedUnion('type', [
    z.object({ type: z.literal('flat') }),
    z.object({ type: z.literal('hnsw'), M: z.int(), efConstruction: z.int(), efSearch: z.int() }),
  ]),
  dimensions: z.int(),
  bytes: z.int(),
  digest: z.string(),
  docids: z.array(z.string()),
})

const hnswSchema = z.strictObject({
  M: z.int().min(2).max(256).default(hnswDefaults.M),
  efConstruction: z.int().positive().default(hnswDefaults.efConstruction),
  efSearch: z.int().positive().default(hnswDefaults.efSearch),
})

/** What is embedded of a document: title, blank, text, as sentence-transformers does when it evaluates BEIR. */
function embeddedText({ title = '', text }: Pick<Document, 'title' | 'text'>): string {
  return `${title} ${text}`.trim()
}

/**
 * Embeds documents and builds an index of their vectors, searched by inner product: the cosine, since vectors have unit
 * length. It is exact and gives the same answer every time, unless `hnsw` is set: that one builds with all cores, so
 * that two builds differ a little.
 *
 * A search takes the process for itself, with 384 dimensions about 2 ms for each sub-query and 10,000 vectors (flat).
 * Where the cores are shared with other work, OMP_WAIT_POLICY=passive in the environment keeps FAISS from waiting busily.
 * faiss-node 0.5.1 never frees its copy of a search's vectors, 1.6 KB for each sub-query of 384 dimensions (measured:
 * `npm run bench`), unless it was compiled by Querent's scripts/install-native.mjs, which mends it.
 *
 * @throws QuerentError `missing-package` without faiss-node; `bad-config` for a wrong option; `bad-document`, with its
 *   position, for a wrong document or one whose docid came before; `embed-failed` for vectors that are not of unit
 *   length. The embedder's own errors and an aborted signal's reason as they are.
 */
export async function buildFaiss(
  documents: Documents,
  {
    embedder,
    name = 'dense',
    hnsw = false,
    keepDocuments = true,
    library,
    onProgress,
    signal,
  }: FaissOptions & BuildOptions,
): Promise<Faiss> {
  const kind = parseKind(hnsw)
  const index = newFaissIndex(library ?? (await loadFaissLibrary()), embedder.dimensions, kind)
  const docids: string[] = []
  const kept = keepDocuments ? new Map<string, Document>() : undefined
  const settings = { kind: 'document', ...(signal && { signal }) } as const

  for await (const batch of batches(checkedDocuments(documents, signal && { signal }))) {
    index.add(await embedAll(embedder, batch.map(embeddedText), settings))
    docids.push(...batch.map(({ docid }) => docid))
    for (const document of batch) kept?.set(document.docid, document)
    onProgress?.(docids.length)
  }
  return retrieverOf({ name, embedder, index, kind, docids, kept })
}

/**
 * Opens the index that `save` wrote into a folder. The embedder must be the one that it was built with.
 *
 * @throws QuerentError `missing-package` without faiss-node; `bad-index` where the folder holds no such index, a
 *   damaged one, or one of another number of dimensions.
 */
export async function loadFaiss(
  folder: string,
  { embedder, name = 'dense', library }: OpenFaissOptions,
): Promise<Faiss> {
  const path = join(folder, metadataFile)
  const { kind, dimensions, bytes, digest, docids } = parseMetadata(path, await readIndexFile(path))
  if (dimensions !== embedder.dimensions) {
    const what = `its vectors have ${dimensions} dimensions, those of ${embedder.name} ${embedder.dimensions}`
    throw badIndex(path, what)
  }
  const expected = { kind, dimensions, count: docids.length, bytes, digest }
  const index = await openFaissIndex(
    library ?? (await loadFaissLibrary()),
    join(folder, vectorsFile),
    expected,
  )
  return retrieverOf({ name, embedder, index, kind, docids, kept: undefined })
}

interface Parts {
  readonly name: string
  readonly embedder: Embedder
  readonly index: FaissIndex
  readonly kind: IndexKind
  readonly docids: readonly string[]
  readonly kept: ReadonlyMap<string, Document> | undefined
}

function retrieverOf({ name, embedder, kind, docids, kept, ...parts }: Parts): Faiss {
  // Let go of on close: native memory is freed when nothing refers to it.
  let index: FaissIndex | undefined = parts.index

  function opened(): FaissIndex {
    if (index !== undefined) return index
    throw new QuerentError('retriever-failed', `Retriever "${name}" is closed`, {
      remedy: 'Search before `close`.',
    })
  }

  return {
    name,
    kind: 'dense',
    size: docids.length,
    bringsDocuments: false,
    ...(kept && { documents: async (wanted) => wanted.map((docid) => kept.get(docid)) }),
    async retrieve(subQueries, options) {
      checkRequest(name, options)
      if (subQueries.length === 0) return []
      const { k, signal } = options
      const texts = subQueries.map(({ text }) => text)
      const vectors = await embedAll(embedder, texts, { kind: 'query', ...(signal && { signal }) })
      signal?.throwIfAborted()
      const lists = nearest(opened(), vectors, k, docids)
      return subQueries.map((subQuery, at) => ({ retriever: name, subQuery, hits: lists[at]! }))
    },
    async save(folder) {
      const seal = await opened().write(join(folder, vectorsFile))
      const dimensions = embedder.dimensions
      const metadata: z.input<typeof metadataSchema> = {
        format,
        version: 1,
        kind,
        dimensions,
        ...seal,
        docids: [...docids],
      }
      await replaceFile(join(folder, metadataFile), [JSON.stringify(metadata)])
    },
    async close() {
      index = undefined
    },
  }
}

/**
 * The `k` nearest documents of each query in our order. FAISS leaves ties to chance: where the last one that it gave is
 * tied with the `k`-th, more are fetched until it is not, since docids decide which of them stay.
 */
function nearest(
  index: FaissIndex,
  queries: readonly Float32Array[],
  k: number,
  docids: readonly string[],
  depth: number = k + 1,
): Hit[][] {
  return index.search(queries, depth).map((found, at) => {
    const tied = found.length === depth && found.at(-1)?.score === found[k - 1]?.score
    if (tied && depth < index.count) return nearest(index, [queries[at]!], k, docids, 4 * depth)[0]!
    const scored = found.map(({ position, score }) => ({ docid: docids[position]!, score }))
    return rankHits(scored, k)
  })
}

/** @throws QuerentError `embed-failed` where there are not as many vectors as texts. */
async function embedAll(
  embedder: Embedder,
  texts: readonly string[],
  options: Parameters<Embedder['embed']>[1],
): Promise<readonly Float32Array[]> {
  const vectors = await embedder.embed(texts, options)
  if (vectors.length === texts.length) return vectors
  const what = `The embedder ${embedder.name} gave ${vectors.length} vectors for ${texts.length} texts`
  throw new QuerentError('embed-failed', what)
}

async function* batches(documents: AsyncIterable<Document>): AsyncGenerator<Document[], void, undefined> {
  let batch: Document[] = []
  for await (const document of documents) {
    batch.push(document)
    if (batch.length < documentsPerBatch) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

function parseKind(hnsw: boolean | HnswOptions): IndexKind {
  if (hnsw === false) return { type: 'flat' }
  const settings = parseConfig(hnswSchema, hnsw === true ? {} : hnsw, 'FAISS: hnsw')
  return { type: 'hnsw', ...settings }
}

function parseMetadata(path: string, content: Buffer): z.output<typeof metadataSchema> {
  let metadata: unknown
  try {
    metadata = JSON.parse(content.toString())
  } catch (error) {
    throw badIndex(path, 'it is not JSON', error)
  }
  const parsed = metadataSchema.safeParse(metadata)
  if (parsed.success) return parsed.data
  throw badIndex(path, 'it is not the description of a FAISS index of this version', parsed.error)
}
