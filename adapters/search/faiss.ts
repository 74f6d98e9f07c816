/** A retriever of the nearest vectors in this process, by FAISS (faiss-node). */
import { join } from 'node:path'
import { z } from 'zod'
import { having, parseConfig } from '../../src/config.ts'
import { QuerentError } from '../../src/errors.ts'
import { rankHits } from '../../src/rank.ts'
import { replaceFile } from '../../src/runtime/atomic-file.ts'
import type { Document, Embedder, Hit, Retriever } from '../../src/types.ts'
import { type BuildOptions, checkedDocuments, type Documents } from './corpus.ts'
import { batchesOf, embedAll, titleAndText } from './encoded-documents.ts'
import {
  batchedPerCall,
  type HnswOptions,
  hnswDefaults,
  type IndexKind,
  newFaissIndex,
  openFaissIndex,
} from './faiss-index.ts'
import { type FaissLibrary, loadFaissLibrary } from './faiss-library.ts'
import { filteringRetriever, type Mask, type MetadataOf, metadataOf } from './filtering.ts'
import { badIndex, checkLive, parseHeader, readIndexFile } from './index-file.ts'
import { type SearchedVectors, withoutDead } from './live-vectors.ts'

export interface OpenFaissOptions {
  /** Makes the vectors. The retriever does not close it. */
  readonly embedder: Embedder
  /** The retriever's name. Default: `dense`. */
  readonly name?: string
  /** faiss-node, if it cannot be imported by its name. */
  readonly library?: FaissLibrary
}

export interface LoadFaissOptions extends OpenFaissOptions {
  /** The metadata of the documents, in the order of the index, for filters. Default: filters are refused. */
  readonly metadata?: MetadataOf
  /**
   * Compares many texts of a call at once, several times as fast (`npm run bench -- retrieval`). The last digits of a score, and
   * so the order of ties, then depend on the other texts of the call. Meant for training. Default: false.
   */
  readonly batched?: boolean
}

export interface FaissOptions extends OpenFaissOptions {
  /** A graph instead of a comparison with every vector. Not exact, but many times faster from about 10,000 vectors on. */
  readonly hnsw?: boolean | HnswOptions
  /** Whether the retriever keeps the documents, for policies, re-ranking and filters. Default: true. */
  readonly keepDocuments?: boolean
}

/** An index that was opened. */
export interface OpenedFaiss extends Retriever {
  /** Number of documents in the index. */
  readonly size: number
  close(): Promise<void>
}

/** An index that was built. */
export interface Faiss extends OpenedFaiss {
  /** Writes the index to a folder: one file for the vectors, another for everything else. */
  save(folder: string): Promise<void>
}

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

/**
 * Embeds documents and builds an index of their vectors. Ranks by inner product, which is the cosine of unit-length vectors. The
 * search is exact and always gives the same result, unless `hnsw` is set. HNSW builds with all cores, so two builds differ a
 * little.
 *
 * A search blocks the process: about 2 ms for each sub-query, with 384 dimensions and 10,000 vectors (flat). If other work shares
 * the cores, set OMP_WAIT_POLICY=passive in the environment, so FAISS does not spin while it waits. faiss-node 0.5.1 never frees
 * its copy of a search's vectors, 1.6 KB for each sub-query of 384 dimensions (measured: `npm run bench`). Querent's
 * scripts/install-native.mjs compiles it with a fix.
 *
 * @throws QuerentError `missing-package` without faiss-node; `bad-config` for a wrong option; `bad-document`, with its position,
 *   for a wrong document or a duplicate docid; `embed-failed` for vectors that are not of unit length. The embedder's own errors
 *   and an aborted signal's reason are thrown unchanged.
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
  parseConfig(having<Embedder>('an embedder', 'embed'), embedder, 'buildFaiss: embedder')
  const kind = parseKind(hnsw)
  const index = newFaissIndex(library ?? (await loadFaissLibrary()), embedder.dimensions, kind)
  const docids: string[] = []
  const kept = keepDocuments ? new Map<string, Document>() : undefined
  const settings = { kind: 'document', ...(signal && { signal }) } as const

  for await (const batch of batchesOf(checkedDocuments(documents, signal && { signal }))) {
    index.add(await embedAll(embedder, batch.map(titleAndText), settings))
    docids.push(...batch.map(({ docid }) => docid))
    for (const document of batch) kept?.set(document.docid, document)
    onProgress?.(docids.length)
  }
  const retriever = retrieverOf({ name, embedder, index, docids, kept, metadata: metadataOf(kept) })
  let isClosed = false
  return {
    ...retriever,
    async save(folder) {
      if (isClosed) throw closed(name)
      const seal = await index.write(join(folder, vectorsFile))
      const { dimensions } = embedder
      const description = { format, version: 1, kind, dimensions, ...seal, docids } as const
      await replaceFile(join(folder, metadataFile), [
        JSON.stringify(description satisfies z.input<typeof metadataSchema>),
      ])
    },
    async close() {
      isClosed = true
      await retriever.close()
    },
  }
}

/**
 * Opens an index that `save` wrote to a folder. Pass the embedder that built it.
 *
 * @throws QuerentError `missing-package` without faiss-node; `bad-index` if the folder has no such index, a damaged one, or one
 *   with another number of dimensions.
 */
export async function loadFaiss(folder: string, options: LoadFaissOptions): Promise<OpenedFaiss> {
  return loadUpdatedFaiss(folder, { added: new Map() }, options)
}

/** What became of the documents of an index after it was saved. */
export interface UpdatedVectors {
  /** For each saved document, 1 if it is still there, otherwise 0. Default: all are. */
  readonly live?: Uint8Array
  /** Docid → vector, of documents that come after them. */
  readonly added: ReadonlyMap<string, Float32Array>
}

/** Opens an index with other documents than were saved. Without HNSW, its hits are those of an index that was built of them. */
export async function loadUpdatedFaiss(
  folder: string,
  { live, added }: UpdatedVectors,
  { embedder, name = 'dense', library, metadata, batched = false }: LoadFaissOptions,
): Promise<OpenedFaiss> {
  const faiss = library ?? (await loadFaissLibrary())
  const path = join(folder, metadataFile)
  const text = (await readIndexFile(path)).toString()
  const header = parseHeader(path, text, metadataSchema, 'the description of a FAISS index')
  const { kind, dimensions, bytes, digest, docids } = header
  if (dimensions !== embedder.dimensions) {
    const what = `its vectors have ${dimensions} dimensions, those of ${embedder.name} ${embedder.dimensions}`
    throw badIndex(path, what)
  }
  checkLive(path, live, docids.length)
  const expected = { kind, dimensions, count: docids.length, bytes, digest }
  const file = join(folder, vectorsFile)
  const index = await openFaissIndex(faiss, file, expected, batched ? batchedPerCall : undefined)
  index.add([...added.values()])
  const left = docids.filter((_, position) => live?.[position] !== 0)
  return retrieverOf({
    name,
    embedder,
    index: withoutDead(index, live),
    docids: [...left, ...added.keys()],
    kept: undefined,
    metadata,
  })
}

interface Parts {
  readonly name: string
  readonly embedder: Embedder
  readonly index: SearchedVectors
  readonly docids: readonly string[]
  readonly kept: ReadonlyMap<string, Document> | undefined
  readonly metadata: MetadataOf | undefined
}

function retrieverOf({ name, embedder, docids, kept, metadata, ...parts }: Parts): OpenedFaiss {
  // Cleared by `close`. Native memory is freed when nothing refers to it.
  let index: SearchedVectors | undefined = parts.index

  const retriever = filteringRetriever(name, { kept, metadata }, async (subQueries, masks, { k, signal }) => {
    const texts = subQueries.map(({ text }) => text)
    const vectors = await embedAll(embedder, texts, { kind: 'query', ...(signal && { signal }) })
    signal?.throwIfAborted()
    if (index === undefined) throw closed(name)
    const searched = index
    const lists: Hit[][] = []
    // Texts under the same mask are searched together.
    for (const mask of new Set(masks)) {
      const places = masks.flatMap((one, place) => (one === mask ? place : []))
      const found = nearest(
        searched,
        places.map((place) => vectors[place]!),
        k,
        docids,
        mask,
      )
      for (const [at, place] of places.entries()) lists[place] = found[at]!
    }
    return lists
  })
  return {
    ...retriever,
    kind: 'dense',
    size: docids.length,
    async close() {
      index = undefined
    },
  }
}

const closed = (name: string): QuerentError =>
  new QuerentError('retriever-failed', `Retriever "${name}" is closed`, { remedy: 'Search before `close`.' })

/**
 * The `k` nearest documents of each query, ranked. FAISS breaks ties arbitrarily, but Querent breaks them by docid. And FAISS
 * does not filter. So this function asks for as many vectors as should be needed, and for more until `k` of them pass and the
 * last vector is not tied with the `k`-th.
 */
function nearest(
  index: SearchedVectors,
  queries: readonly Float32Array[],
  k: number,
  docids: readonly string[],
  mask: Mask | undefined,
  depth: number = mask === undefined ? k + 1 : depthFor(k, mask),
): Hit[][] {
  if (mask?.count === 0) return queries.map(() => [])
  return index.search(queries, depth).map((found, at) => {
    const passing = mask === undefined ? found : found.filter(({ position }) => mask.passes[position] === 1)
    const last = passing[k - 1]
    const isShort =
      last === undefined ? passing.length < (mask?.count ?? 0) : last.score === found.at(-1)?.score
    if (isShort && found.length === depth && depth < index.count)
      return nearest(index, [queries[at]!], k, docids, mask, 4 * depth)[0]!
    const scored = passing.map(({ position, score }) => ({ docid: docids[position]!, score }))
    return rankHits(scored, k)
  })
}

/** The depth at which `k` documents should pass, if these are no nearer to the query than others, with a half for chance. */
const depthFor = (k: number, { passes, count }: Mask): number =>
  Math.min(passes.length, Math.ceil((1.5 * (k + 1) * passes.length) / Math.max(1, count)))

function parseKind(hnsw: boolean | HnswOptions): IndexKind {
  if (hnsw === false) return { type: 'flat' }
  const settings = parseConfig(hnswSchema, hnsw === true ? {} : hnsw, 'FAISS: hnsw')
  return { type: 'hnsw', ...settings }
}
