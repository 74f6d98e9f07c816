/**
 * Adds, replaces and deletes documents of an index without building the others again. An update writes a segment with what
 * changed, replaces `index.json` last, and merges segments when there are many.
 */
import { join, resolve } from 'node:path'
import type { Documents } from '../../adapters/search/corpus.ts'
import type { Embedder } from '../types.ts'
import { emptyIndex } from './build.ts'
import { asWriteError, sync } from './disk.ts'
import { compactJournal, withJournal } from './embedding-journal.ts'
import { lockFolder } from './lock.ts'
import { checkFiles, commitManifest, type IndexManifest, newManifest, readManifest } from './manifest.ts'
import { type BuildProgress, removeUnusedSegments, type SegmentVectors, syncSegment } from './segment.ts'
import { updateEmbedder } from './update-embedder.ts'
import { version } from './version.ts'
import { type IndexChanges, type Segment, writeChanges } from './write-changes.ts'

export interface UpdateOptions {
  /** The folder of the index. It stays in use until the update is complete. */
  readonly out: string
  /** Documents to add. A document whose docid is in the index replaces that one. */
  readonly add?: Documents
  /** Docids of documents to delete, before others are added. */
  readonly remove?: readonly string[]
  /** Embeds the new documents. Required if the index has vectors and documents are added. */
  readonly dense?: Embedder
  /** Identifies the model: see `BuildOptions`. */
  readonly identity?: string
  /** Reports the progress of each task. `total` is present if it is known. */
  readonly onProgress?: (progress: BuildProgress) => void
  /** Aborts the update. The existing index and all vectors embedded so far remain. */
  readonly signal?: AbortSignal
}

export interface UpdatedIndex extends IndexChanges {
  readonly manifest: IndexManifest
}

/**
 * Adds documents to an index, replaces and deletes some. It is then searched as if it had been built of the documents that are
 * left: the same hits with the same scores. With HNSW, the graphs differ, as they do between two builds.
 *
 * The process can be killed at any moment: the folder then holds the old index or the new one. Readers that opened the old
 * index can continue to use it. Deleted documents are no longer found. Their texts leave the files when segments are merged,
 * at the latest with the next `buildIndex`.
 *
 * @throws QuerentError `missing-file` if there is no index; `bad-document` for a wrong document, a docid that occurs twice, or if
 * no document would be left; `bad-index` if the index is damaged, was built by another version or its vectors by another model,
 * or if another build is running in the folder; `bad-config` if the index has vectors and there is no embedder;
 * `write-failed`; `missing-package` without FAISS. Errors of `add` and the embedder, and the signal's reason, are rethrown
 * unchanged.
 */
export async function updateIndex(options: UpdateOptions): Promise<UpdatedIndex> {
  const out = resolve(options.out)
  try {
    await readManifest(out)
    const release = await lockFolder(out)
    try {
      return await updateLocked(out, options)
    } finally {
      await release()
    }
  } catch (error) {
    throw asWriteError(error, out)
  }
}

async function updateLocked(out: string, options: UpdateOptions): Promise<UpdatedIndex> {
  const manifest = await readManifest(out)
  await checkFiles(out, manifest)
  await removeUnusedSegments(out)
  const { dense } = manifest
  const { add = [], remove = [], onProgress, signal } = options
  const embedder = await updateEmbedder(out, dense, options)
  try {
    const { segments, allTexts, documents, corpus, ...changes } = await withJournal(
      dense && join(out, dense.journal),
      dense?.dimensions ?? 0,
      (journal) => {
        const vectors = embedder && journal && { embedder, journal, hnsw: hnswOf(dense) }
        return writeChanges(out, manifest, { add, remove }, { vectors, onProgress, signal })
      },
    )
    if (changes.added + changes.replaced + changes.removed === 0) {
      await removeUnusedSegments(out)
      return { manifest, ...changes }
    }
    if (documents === 0) throw emptyIndex(`No document of the index in ${out} would be left`)
    signal?.throwIfAborted()
    const generation = segments.at(-1)!.folder
    const files = await filesOf(out, manifest, segments)
    const updated = newManifest({ ...manifest, generation, segments, documents, corpus, files }, version)
    await sync(out)
    await commitManifest(out, updated)
    await removeUnusedSegments(out)
    if (dense !== undefined && allTexts !== undefined)
      await compactJournal(join(out, dense.journal), dense.dimensions, allTexts)
    return { manifest: updated, ...changes }
  } catch (error) {
    await removeUnusedSegments(out)
    throw error
  }
}

/** The files of the segments that stay, as they were checked, and those of the newest, flushed to disk. */
async function filesOf(
  out: string,
  { files }: IndexManifest,
  segments: readonly Segment[],
): Promise<Record<string, number>> {
  const kept = segments.slice(0, -1).map(({ folder }) => `${folder}/`)
  const old = Object.entries(files).filter(([file]) => kept.some((folder) => file.startsWith(folder)))
  return { ...Object.fromEntries(old), ...(await syncSegment(out, segments.at(-1)!.folder)) }
}

const hnswOf = (dense: IndexManifest['dense']): SegmentVectors['hnsw'] =>
  dense?.hnsw ?? dense?.kind === 'hnsw'
