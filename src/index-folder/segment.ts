/** Makes the files of a segment: documents, words and, if the index has vectors, vectors. */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Documents } from '../../adapters/search/corpus.ts'
import { buildFaiss } from '../../adapters/search/faiss.ts'
import type { HnswOptions } from '../../adapters/search/faiss-index.ts'
import { buildWinkBm25, mergeBm25Parts, type WinkBm25Options } from '../../adapters/search/wink-bm25.ts'
import type { Embedder } from '../types.ts'
import { remove, sync } from './disk.ts'
import { openDocuments, type SegmentedDocuments, type WrittenDocuments, writeDocuments } from './documents.ts'
import type { EmbeddingJournal, TextDigest } from './embedding-journal.ts'
import { journaledEmbedder } from './journaled-embedder.ts'
import { currentFolders, generationName } from './manifest.ts'

export interface BuildProgress {
  readonly task: 'read' | 'bm25' | 'dense' | 'merge'
  /** Number of documents processed. */
  readonly done: number
  readonly total?: number
}

/** How the vectors of a segment are made. */
export interface SegmentVectors {
  readonly embedder: Embedder
  readonly journal: EmbeddingJournal
  readonly hnsw: boolean | HnswOptions
}

/** What was written into the folder of a segment. */
export interface WrittenSegment extends WrittenDocuments {
  /** Number of texts that were embedded. The other vectors come from the journal. */
  readonly embedded: number
  /** Digests of the texts that have vectors. */
  readonly texts: ReadonlySet<TextDigest>
}

export interface SegmentOptions {
  readonly bm25: WinkBm25Options
  readonly vectors: SegmentVectors | undefined
  /** Docids that the segment removes from earlier segments. */
  readonly removed?: readonly string[]
  readonly onProgress?: ((progress: BuildProgress) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** Creates the folder of a new segment and returns its name. */
export async function newSegment(out: string): Promise<string> {
  const name = `generation-${randomBytes(8).toString('hex')}`
  await mkdir(join(out, name))
  return name
}

/** The files that a killed build may have left incomplete. */
const leftOver = /^(index\.json|embeddings-[0-9a-f]{16}\.journal)\.[0-9a-f]{16}\.part$/

/** Removes all segments that `index.json` does not name, and incomplete files. The lock excludes other builds. */
export async function removeUnusedSegments(out: string): Promise<void> {
  const used = await currentFolders(out)
  for (const file of await readdir(out))
    if (leftOver.test(file) || (generationName.test(file) && !used.has(file))) await remove(join(out, file))
}

/** Writes documents, their words and their vectors into the folder of a segment. */
export async function writeSegment(
  documents: Documents,
  folder: string,
  { bm25, vectors, removed = [], onProgress, signal }: SegmentOptions,
): Promise<WrittenSegment> {
  const written = await writeDocuments(documents, folder, {
    removed,
    ...(signal && { signal }),
    onProgress: (done) => onProgress?.({ task: 'read', done }),
  })
  if (written.docids.length === 0) return { ...written, ...noTexts }
  const store = await openDocuments([folder])
  try {
    const total = store.size
    onProgress?.({ task: 'bm25', done: 0, total })
    const index = await buildWinkBm25(store.all(), {
      ...bm25,
      keepDocuments: false,
      ...(signal && { signal }),
      onProgress: (done) => onProgress?.({ task: 'bm25', done, total }),
    })
    await index.save(folder)
    return { ...written, ...(await writeVectors(store, folder, { vectors, onProgress, signal })) }
  } finally {
    await store.close()
  }
}

/** Writes the documents that are left of several segments, oldest first, into the folder of one. */
export async function mergeSegments(
  folders: readonly string[],
  folder: string,
  { vectors, removed = [], onProgress, signal }: Omit<SegmentOptions, 'bm25'>,
): Promise<WrittenSegment> {
  const store = await openDocuments(folders)
  try {
    const total = store.size
    const written = await writeDocuments(store.all(), folder, {
      removed,
      ...(signal && { signal }),
      onProgress: (done) => onProgress?.({ task: 'merge', done, total }),
    })
    if (total === 0) return { ...written, ...noTexts }
    const parts = folders.map((one, place) => ({ folder: one, live: store.live[place]! }))
    await mergeBm25Parts(
      parts.filter(({ live }) => live.length > 0),
      folder,
    )
    return { ...written, ...(await writeVectors(store, folder, { vectors, onProgress, signal })) }
  } finally {
    await store.close()
  }
}

type WrittenVectors = Pick<WrittenSegment, 'embedded' | 'texts'>

const noTexts: WrittenVectors = { embedded: 0, texts: new Set() }

async function writeVectors(
  store: SegmentedDocuments,
  folder: string,
  { vectors, onProgress, signal }: Pick<SegmentOptions, 'vectors' | 'onProgress' | 'signal'>,
): Promise<WrittenVectors> {
  if (vectors === undefined) return noTexts
  const embedder = journaledEmbedder(vectors.embedder, vectors.journal, (done) =>
    onProgress?.({ task: 'dense', done, total: store.size }),
  )
  const { hnsw } = vectors
  const index = await buildFaiss(store.all(), {
    embedder,
    hnsw,
    keepDocuments: false,
    ...(signal && { signal }),
  })
  await index.save(folder)
  await index.close()
  return { embedded: embedder.computed, texts: embedder.used }
}

/** Flushes all files of a segment to disk. Returns their sizes, by their paths in the folder of the index. */
export async function syncSegment(out: string, segment: string): Promise<Record<string, number>> {
  const folder = join(out, segment)
  const sizes: Record<string, number> = {}
  for (const file of (await readdir(folder)).sort()) {
    await sync(join(folder, file))
    sizes[`${segment}/${file}`] = (await stat(join(folder, file))).size
  }
  await sync(folder)
  return sizes
}
