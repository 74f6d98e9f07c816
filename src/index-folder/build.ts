/**
 * Building an index beside the one that is there, and swapping it in. Everything is written into a new generation
 * folder; `index.json` is replaced last; only then is what it superseded removed.
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
  /** The folder of the index; made where it does not exist. What is in it answers until the new index is complete. */
  readonly out: string
  /** Settings of the BM25 index. */
  readonly bm25?: WinkBm25Options
  /** Embeds the documents; without it the index has no vectors. */
  readonly dense?: Embedder
  /** Searches a graph of the vectors and not all of them: see `buildFaiss`. Default: false. */
  readonly hnsw?: boolean | HnswOptions
  /** What finds the embedder again when the index is opened: a name or folder. Default: the embedder's name. */
  readonly model?: string
  /**
   * Tells the vectors of this model from those of any other, so that vectors of an earlier build can be used again.
   * Default: the embedder's name. Change it when the weights change.
   */
  readonly identity?: string
  /** Told how far each task is; `total` is there where it is known. */
  readonly onProgress?: (progress: BuildProgress) => void
  /** Ends the build. The index that was there is left as it is, and so is everything embedded so far. */
  readonly signal?: AbortSignal
}

export interface BuildProgress {
  readonly task: 'read' | 'bm25' | 'dense'
  /** Documents. */
  readonly done: number
  readonly total?: number
}

export interface BuiltIndex {
  readonly manifest: IndexManifest
  /** How many texts had to be embedded; the others had been embedded by an earlier build. */
  readonly embedded: number
}

/**
 * Makes the index of a corpus in a folder, in place of the one that may be there.
 *
 * It can be killed at any moment: the folder then answers from the old index or from the new one, and the next build
 * embeds only what has not been embedded yet. Readers that have the old index open keep it.
 *
 * @throws QuerentError `bad-document` for a docid that comes twice or a corpus without documents; `bad-index` where another
 *   build has the folder or its `index.json` is somebody else's; `write-failed` where the folder cannot be written;
 *   `missing-package` without FAISS. What `documents`, the embedder and an aborted signal throw, as it is.
 */
export async function buildIndex(documents: Documents, options: BuildOptions): Promise<BuiltIndex> {
  const out = resolve(options.out)
  // Nothing is read and embedded only to find out that there is nothing to index it with.
  if (options.dense !== undefined) await loadFaissLibrary()
  let made: string | undefined
  try {
    made = await mkdir(out, { recursive: true })
    const release = await lockFolder(out)
    try {
      return await buildLocked(documents, out, options)
    } finally {
      await release()
    }
  } catch (error) {
    if (made !== undefined) await removeEmpty(out, made)
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
  /** The journal's file, the size of its vectors, and the texts of this corpus in it. */
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

/** Removes what earlier builds left, except one generation: nobody else builds here now. Journals are kept. */
async function removeAllBut(out: string, generation: string | undefined): Promise<void> {
  for (const file of await readdir(out)) {
    if (generationName.test(file) && file !== generation) await remove(join(out, file))
  }
}

/** After a commit: removes the old generation, the vectors of other models, and those of texts that are gone. */
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

/** Waits until all files of a folder are on the disk, and gives their sizes. */
async function syncFiles(folder: string): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {}
  for (const file of (await readdir(folder)).sort()) {
    await sync(join(folder, file))
    sizes[file] = (await stat(join(folder, file))).size
  }
  await sync(folder)
  return sizes
}
