/**
 * Builds an index next to the existing one and swaps it in. The build writes all files into the folder of a new segment,
 * replaces `index.json` last, and only then removes the files of the old index.
 */
import { mkdir, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import type { Documents } from '../../adapters/search/corpus.ts'
import type { HnswOptions } from '../../adapters/search/faiss-index.ts'
import { loadFaissLibrary } from '../../adapters/search/faiss-library.ts'
import type { WinkBm25Options } from '../../adapters/search/wink-bm25.ts'
import { having, parseConfig } from '../config.ts'
import { QuerentError } from '../errors.ts'
import type { Embedder } from '../types.ts'
import { asWriteError, remove, removeEmpty, sync } from './disk.ts'
import { compactJournal, isJournalName, journalName, withJournal } from './embedding-journal.ts'
import { lockFolder } from './lock.ts'
import { commitManifest, type DenseManifest, type IndexManifest, newManifest } from './manifest.ts'
import {
  type BuildProgress,
  newSegment,
  removeUnusedSegments,
  syncSegment,
  type WrittenSegment,
  writeSegment,
} from './segment.ts'
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
  const { bm25 = {}, dense, hnsw = false, onProgress, signal } = options
  await removeUnusedSegments(out)
  const described = dense && describeDense(dense, options)
  try {
    const name = await newSegment(out)
    const journal = described && join(out, described.journal)
    const written = await withJournal(journal, dense?.dimensions ?? 0, (journal) =>
      writeSegment(documents, join(out, name), {
        bm25,
        vectors: dense && journal && { embedder: dense, journal, hnsw },
        onProgress,
        signal,
      }),
    )
    const count = written.docids.length
    if (count === 0) throw emptyIndex('The corpus holds no documents')
    signal?.throwIfAborted()
    const manifest = newManifest(
      {
        generation: name,
        segments: [{ folder: name, documents: count, removed: 0 }],
        documents: count,
        corpus: written.digest,
        bm25: { ...bm25 },
        ...(described && { dense: described }),
        files: await syncSegment(out, name),
      },
      version,
    )
    await sync(out)
    await commitManifest(out, manifest)
    await tidy(out, manifest, written)
    return { manifest, embedded: written.embedded }
  } catch (error) {
    await removeUnusedSegments(out)
    throw error
  }
}

/** @throws QuerentError `bad-document`: an index has at least one document */
export const emptyIndex = (what: string): QuerentError =>
  new QuerentError('bad-document', what, { remedy: 'Give a corpus with at least one document.' })

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

/**
 * Runs after a commit. Removes the old index, the vectors of other models, and the vectors of texts that are no longer in the
 * corpus.
 */
async function tidy(out: string, { dense }: IndexManifest, { texts }: WrittenSegment): Promise<void> {
  await removeUnusedSegments(out)
  if (dense === undefined) return
  for (const file of await readdir(out))
    if (isJournalName(file) && file !== dense.journal) await remove(join(out, file))
  await compactJournal(join(out, dense.journal), dense.dimensions, texts)
}
