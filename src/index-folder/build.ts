/**
 * Builds an index next to the existing one and swaps it in. The build writes all files into a new folder, replaces `index.json`
 * last, and only then removes the files of the old index.
 */
import { mkdir, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import type { Documents } from '../../adapters/search/corpus.ts'
import type { HnswOptions } from '../../adapters/search/faiss-index.ts'
import { loadFaissLibrary } from '../../adapters/search/faiss-library.ts'
import type { WinkBm25Options } from '../../adapters/search/wink-bm25.ts'
import { having, parseConfig } from '../config.ts'
import type { Embedder } from '../types.ts'
import { asWriteError, remove, removeEmpty } from './disk.ts'
import { isJournalName, journalName } from './embedding-journal.ts'
import { type BuildProgress, type BuiltIndex, removeUnused, replaceIndex } from './generation.ts'
import { lockFolder } from './lock.ts'
import type { DenseManifest } from './manifest.ts'

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

/**
 * Builds the index of a corpus in a folder and replaces the existing index, if any.
 *
 * The process can be killed at any moment: the folder then holds the old index or the new one, and the next build embeds
 * only texts without vectors. Readers that opened the old index can continue to use it.
 *
 * @throws QuerentError `bad-config` for a wrong option; `bad-document` for a docid that occurs twice or an empty corpus;
 * `bad-index` if another build is running in the folder or Querent did not write its `index.json`; `write-failed` if the folder
 * cannot be written; `missing-package` without FAISS. Errors of `documents` and the embedder, and the signal's reason, are
 * rethrown unchanged.
 */
export async function buildIndex(documents: Documents, options: BuildOptions): Promise<BuiltIndex> {
  const out = resolve(parseConfig(z.string().min(1), options.out, 'buildIndex: out'))
  const embedder = having<Embedder>('an embedder', 'embed').optional()
  parseConfig(embedder, options.dense, 'buildIndex: dense')
  // Fail early if FAISS is missing, before documents are read and embedded.
  if (options.dense !== undefined) await loadFaissLibrary()
  let created: string | undefined
  try {
    created = await mkdir(out, { recursive: true })
    const release = await lockFolder(out)
    try {
      await removeUnused(out)
      return await buildLocked(documents, out, options)
    } finally {
      await removeUnused(out).finally(release)
    }
  } catch (error) {
    if (created !== undefined) await removeEmpty(out, created)
    throw asWriteError(error, out)
  }
}

async function buildLocked(documents: Documents, out: string, options: BuildOptions): Promise<BuiltIndex> {
  const { bm25 = {}, dense: embedder, onProgress, signal } = options
  const dense = embedder && describeDense(embedder, options)
  const built = await replaceIndex(out, documents, { bm25, dense, embedder, onProgress, signal })
  // The vectors of other models.
  for (const file of dense === undefined ? [] : await readdir(out))
    if (isJournalName(file) && file !== dense?.journal) await remove(join(out, file))
  return built
}

function describeDense({ name, dimensions }: Embedder, options: BuildOptions): DenseManifest {
  const { model = name, identity = name, hnsw = false } = options
  return {
    model,
    name,
    dimensions,
    kind: hnsw === false ? 'flat' : 'hnsw',
    ...(typeof hnsw === 'object' && { hnsw: { ...hnsw } }),
    journal: journalName(identity, dimensions),
  }
}
