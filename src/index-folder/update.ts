/**
 * Adds, replaces and deletes documents of an index without building the others again. An update appends what changed to the
 * files, and replaces `index.json` last, which says how many bytes of them count. Opening an index takes the changes into
 * account, until a vacuum or a build writes the files anew.
 */
import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import type { Documents } from '../../adapters/search/corpus.ts'
import { batchesOf, titleAndText } from '../../adapters/search/encoded-documents.ts'
import type { Embedder } from '../types.ts'
import { asWriteError, sync } from './disk.ts'
import { openDocuments, type UpdatedDocuments } from './documents.ts'
import { withJournal } from './embedding-journal.ts'
import {
  type BuildProgress,
  emptyIndex,
  type GenerationOptions,
  newGeneration,
  removeUnused,
  replaceIndex,
} from './generation.ts'
import { journaledEmbedder } from './journaled-embedder.ts'
import { lockFolder } from './lock.ts'
import { checkFiles, commitManifest, type IndexManifest, newManifest, readManifest } from './manifest.ts'
import { updateEmbedder } from './update-embedder.ts'
import { version } from './version.ts'
import { appendDocuments, linesFile } from './write-documents.ts'

export interface UpdateOptions {
  /** The folder of the index. It stays in use until the update is complete. */
  readonly out: string
  /** Documents to add. A document whose docid is in the index replaces that one. */
  readonly add?: Documents
  /** Docids of documents to delete, before others are added. */
  readonly remove?: readonly string[]
  /**
   * Writes the files anew after the changes, as a build of the documents that are left would. Opening the index then no longer
   * counts the words of documents that were appended, and deleted texts are gone from the disk. Vectors are used again, except
   * those that are lost. Default: false.
   */
  readonly vacuum?: boolean
  /** Embeds the new documents. Required if the index has vectors and documents are added. */
  readonly dense?: Embedder
  /** Identifies the model: see `BuildOptions`. */
  readonly identity?: string
  /** Reports the progress of each task. `total` is present if it is known. */
  readonly onProgress?: (progress: BuildProgress) => void
  /** Aborts the update. The existing index and all vectors embedded so far remain. */
  readonly signal?: AbortSignal
}

/** What an update does to the documents of an index. */
export interface IndexChanges {
  /** Number of documents whose docids were new, or had been deleted by this update. */
  readonly added: number
  /** Number of documents that took the place of others with the same docids. */
  readonly replaced: number
  /** Number of documents that were deleted. */
  readonly removed: number
  /** Number of docids to delete that were not in the index. */
  readonly unknown: number
  /** Number of texts that were embedded. */
  readonly embedded: number
}

export interface UpdatedIndex extends IndexChanges {
  readonly manifest: IndexManifest
  /**
   * Number of documents that were appended and deleted since the files were written. Opening the index takes as long more as a
   * build of the appended documents.
   */
  readonly pending: number
}

/**
 * Adds documents to an index, replaces and deletes some. It is then searched as if it had been built of the documents that are
 * left: the same hits with the same scores. With HNSW, the graphs differ, as they do between two builds.
 *
 * The process can be killed at any moment: the folder then holds the old index or the new one. Readers that opened the old
 * index can continue to use it. Deleted documents are no longer found. Their texts leave the files with a `vacuum`, or with the
 * next `buildIndex`.
 *
 * @throws QuerentError `missing-file` if there is no index; `bad-document` for a wrong document, a docid that occurs twice, or if
 * no document would be left; `bad-index` if the index is damaged, was built by another version or its vectors by another model,
 * or if another build is running in the folder; `bad-config` if the index has vectors and there is no embedder;
 * `write-failed` if the folder cannot be written; `missing-package` without FAISS. Errors of `add` and the embedder, and the signal's
 * reason, are rethrown unchanged.
 */
export async function updateIndex(options: UpdateOptions): Promise<UpdatedIndex> {
  const out = resolve(options.out)
  try {
    await readManifest(out)
    const release = await lockFolder(out)
    try {
      return await updateLocked(out, options)
    } finally {
      await removeUnused(out).finally(release)
    }
  } catch (error) {
    throw asWriteError(error, out)
  }
}

async function updateLocked(out: string, options: UpdateOptions): Promise<UpdatedIndex> {
  const { add = [], remove = [], vacuum = false, onProgress, signal } = options
  const manifest = await readManifest(out)
  await checkFiles(out, manifest)
  const embedder = await updateEmbedder(out, manifest.dense, options)
  const folder = join(out, manifest.folder)
  const start = manifest.files[`${manifest.folder}/${linesFile}`]!
  const { places, close, changes: before } = await openDocuments(folder, start)
  await close()
  const wanted = new Set(remove)
  const removed = new Set([...wanted].filter((docid) => places.has(docid)))
  const { docids, digest, end } = await appendDocuments(
    folder,
    start,
    { remove: [...removed], add },
    { ...(signal && { signal }), onProgress: (done) => onProgress?.({ task: 'read', done }) },
  )
  const replaced = docids.filter((docid) => places.has(docid) && !removed.has(docid)).length
  const changes = {
    added: docids.length - replaced,
    replaced,
    removed: removed.size,
    unknown: wanted.size - removed.size,
  }
  if (end === start && !(vacuum && before > 0)) return { manifest, ...changes, embedded: 0, pending: before }
  const documents = await openDocuments(folder, end)
  try {
    if (documents.size === 0) throw emptyIndex(`No document of the index in ${out} would be left`)
    const given = { embedder, onProgress, signal }
    const updated = vacuum
      ? await replaceIndex(out, documents.all(), { bm25: manifest.bm25, dense: manifest.dense, ...given })
      : await commitAppended(out, manifest, { documents, added: docids.length, digest, end }, given)
    return { ...updated, ...changes, pending: vacuum ? 0 : documents.changes }
  } finally {
    await documents.close()
  }
}

interface Appended {
  readonly documents: UpdatedDocuments
  /** Number of documents that were appended, the last in the file. */
  readonly added: number
  readonly digest: string
  /** The bytes of the documents' file. */
  readonly end: number
}

/** Makes what was appended part of the index. */
async function commitAppended(
  out: string,
  manifest: IndexManifest,
  { documents, added, digest, end }: Appended,
  { embedder, onProgress, signal }: Pick<GenerationOptions, 'embedder' | 'onProgress' | 'signal'>,
): Promise<Pick<UpdatedIndex, 'manifest' | 'embedded'>> {
  const { dense } = manifest
  const lines = `${manifest.folder}/${linesFile}`
  let embedded = 0
  if (dense && embedder && added > 0)
    await withJournal(join(out, dense.journal), dense.dimensions, async (journal) => {
      const journaled = journaledEmbedder(embedder, journal, (done) =>
        onProgress?.({ task: 'dense', done, total: added }),
      )
      const first = documents.live.length + documents.changes - added
      for await (const batch of batchesOf(documents.all(first)))
        await journaled.embed(batch.map(titleAndText), { kind: 'document', ...(signal && { signal }) })
      embedded = journaled.computed
      await sync(join(out, dense.journal))
    })
  signal?.throwIfAborted()
  const updated = newManifest(
    {
      ...manifest,
      generation: newGeneration(),
      documents: documents.size,
      corpus: createHash('sha256').update(`${manifest.corpus} ${digest}`).digest('hex'),
      files: { ...manifest.files, [lines]: end },
    },
    version,
  )
  await sync(join(out, lines))
  await commitManifest(out, updated)
  return { manifest: updated, embedded }
}
