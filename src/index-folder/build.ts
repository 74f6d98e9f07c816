/**
 * Builds an index next to the existing one and swaps it in. The build writes all files into a new generation folder,
 * replaces `index.json` last, and only then removes the files of the old index.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Documents } from '../../adapters/search/corpus.ts'
import { buildFaiss } from '../../adapters/search/faiss.ts'
import type { HnswOptions } from '../../adapters/search/faiss-index.ts'
import { loadFaissLibrary } from '../../adapters/search/faiss-library.ts'
import { buildWinkBm25, type WinkBm25Options } from '../../adapters/search/wink-bm25.ts'
import type { Embedder } from '../types.ts'
import { asWriteError, remove, removeEmpty, sync } from './disk.ts'
import { type DocumentStore, openDocuments, writeDocuments } from './documents.ts'
import {
  compactJournal,
  isJournalName,
  journalName,
  openEmbeddingJournal,
  type TextDigest,
} from './embedding-journal.ts'
import { journaledEmbedder } from './journaled-embedder.ts'
import { lockFolder } from './lock.ts'
import {
  commitManifest,
  currentGeneration,
  type DenseManifest,
  generationName,
  type IndexManifest,
  newManifest,
} from './manifest.ts'
import { version } from './version.ts'

export interface BuildOptions {
  /**
   * The folder of the index. It is created if it does not exist. An existing index stays in use until the new one is
   * complete.
   */
  readonly out: string
  /** Options of the BM25 index. */
  readonly bm25?: WinkBm25Options
  /** Embeds the documents. Without it, the index has no vectors. */
  readonly dense?: Embedder
  /** Searches an HNSW graph of the vectors instead of all vectors: see `buildFaiss`. Default: false. */
  readonly hnsw?: boolean | HnswOptions
  /** The model name or folder from which the embedder is loaded when the index is opened. Default: the embedder's name. */
  readonly model?: string
  /**
   * Identifies the model, so that a later build can reuse its vectors. Default: the embedder's name. Change it when the
   * weights change.
   */
  readonly identity?: string
  /** Reports the progress of each task. `total` is present if it is known. */
  readonly onProgress?: (progress: BuildProgress) => void
  /** Aborts the build. The existing index and all vectors embedded so far remain. */
  readonly signal?: AbortSignal
}

export interface BuildProgress {
  readonly task: 'read' | 'bm25' | 'dense'
  /** Number of documents processed. */
  readonly done: number
  readonly total?: number
}

export interface BuiltIndex {
  readonly manifest: IndexManifest
  /** Number of texts embedded by this build. The other vectors come from earlier builds. */
  readonly embedded: number
}

/**
 * Builds the index of a corpus in a folder and replaces the existing index, if any.
 *
 * The process can be killed at any moment: the folder then holds the old index or the new one, and the next build embeds
 * only texts without vectors. Readers that opened the old index can continue to use it.
 *
 * @throws QuerentError `bad-document` for a docid that occurs twice or an empty corpus; `bad-index` if another build is
 * running in the folder or Querent did not write its `index.json`; `write-failed` if the folder cannot be written;
 * `missing-package` without FAISS. Errors of `documents` and the embedder, and the signal's reason, are rethrown unchanged.
 */
export async function buildIndex(documents: Documents, options: BuildOptions): Promise<BuiltIndex> {
  const out = resolve(options.out)
  // Fail early if FAISS is missing, before documents are read and embedded.
  if (options.dense !== undefined) await loadFaissLibrary()
  let created: string | undefined
  try {
    created = await mkdir(out, { recursive: true })
    const release = await lockFolder(out)
    try {
      return await buildLocked(documents, out, options)
    } finally {
      await release()
    }
  } catch (error) {
    if (created !== undefined) await removeEmpty(out, created)
    throw asWriteError(error, out)
  }
}

async function buildLocked(documents: Documents, out: string, options: BuildOptions): Promise<BuiltIndex> {
  const { onProgress, signal } = options
  await removeAllBut(out, await currentGeneration(out))
  const generation = `generation-${randomBytes(8).toString('hex')}`
  const folder = join(out, generation)
  await mkdir(folder)
  try {
    const corpus = await writeDocuments(documents, folder, {
      ...(signal && { signal }),
      onProgress: (done) => onProgress?.({ task: 'read', done }),
    })
    const store = await openDocuments(folder)
    try {
      await buildBm25(store, folder, options)
      const dense = options.dense && (await buildDense(store, out, folder, options.dense, options))
      signal?.throwIfAborted()
      const manifest = newManifest(
        {
          generation,
          documents: corpus.count,
          corpus: corpus.digest,
          bm25: { ...options.bm25 },
          ...(dense && { dense: dense.manifest }),
          files: await syncFiles(folder),
        },
        version,
      )
      await sync(out)
      await commitManifest(out, manifest)
      await tidy(out, manifest, dense)
      return { manifest, embedded: dense?.embedded ?? 0 }
    } finally {
      await store.close()
    }
  } catch (error) {
    if ((await currentGeneration(out)) !== generation) await remove(folder)
    throw error
  }
}

async function buildBm25(
  store: DocumentStore,
  folder: string,
  { bm25, onProgress, signal }: BuildOptions,
): Promise<void> {
  onProgress?.({ task: 'bm25', done: 0, total: store.size })
  const index = await buildWinkBm25(store.all(), {
    ...bm25,
    keepDocuments: false,
    ...(signal && { signal }),
    onProgress: (done) => onProgress?.({ task: 'bm25', done, total: store.size }),
  })
  await index.save(folder)
}

interface BuiltDense {
  readonly manifest: DenseManifest
  readonly embedded: number
  /** The journal's file name, the number of dimensions, and the digests of this corpus's texts. */
  readonly journal: string
  readonly dimensions: number
  readonly used: ReadonlySet<TextDigest>
}

async function buildDense(
  store: DocumentStore,
  out: string,
  folder: string,
  embedder: Embedder,
  { model, identity, hnsw = false, onProgress, signal }: BuildOptions,
): Promise<BuiltDense> {
  const name = journalName(identity ?? embedder.name, embedder.dimensions)
  const journal = await openEmbeddingJournal(join(out, name), embedder.dimensions)
  try {
    const report = (done: number) => onProgress?.({ task: 'dense', done, total: store.size })
    const journaled = journaledEmbedder(embedder, journal, report)
    const index = await buildFaiss(store.all(), {
      keepDocuments: false,
      embedder: journaled,
      hnsw,
      ...(signal && { signal }),
    })
    await index.save(folder)
    await index.close()
    const { name: embedderName, dimensions } = embedder
    return {
      manifest: {
        model: model ?? embedderName,
        name: embedderName,
        dimensions,
        kind: hnsw ? 'hnsw' : 'flat',
      },
      embedded: journaled.computed,
      journal: name,
      dimensions,
      used: journaled.used,
    }
  } finally {
    await journal.close()
  }
}

/** Removes the files of earlier builds, except one generation. The lock excludes other builds. Journals are kept. */
async function removeAllBut(out: string, generation: string | undefined): Promise<void> {
  for (const file of await readdir(out)) {
    if (generationName.test(file) && file !== generation) await remove(join(out, file))
  }
}

/**
 * Runs after a commit. Removes the old generation, the vectors of other models, and the vectors of texts that are no longer
 * in the corpus.
 */
async function tidy(
  out: string,
  { generation }: IndexManifest,
  dense: BuiltDense | undefined,
): Promise<void> {
  await removeAllBut(out, generation)
  if (dense === undefined) return
  for (const file of await readdir(out)) {
    if (isJournalName(file) && file !== dense.journal) await remove(join(out, file))
  }
  await compactJournal(join(out, dense.journal), dense.dimensions, dense.used)
}

/** Flushes all files of a folder to disk and returns their sizes. */
async function syncFiles(folder: string): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {}
  for (const file of (await readdir(folder)).sort()) {
    await sync(join(folder, file))
    sizes[file] = (await stat(join(folder, file))).size
  }
  await sync(folder)
  return sizes
}
