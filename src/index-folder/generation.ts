/** The files of an index: documents, words and, if the index has vectors, vectors. A build writes them into a new folder. */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Documents } from '../../adapters/search/corpus.ts'
import { buildFaiss } from '../../adapters/search/faiss.ts'
import { buildWinkBm25, type WinkBm25Options } from '../../adapters/search/wink-bm25.ts'
import { QuerentError } from '../errors.ts'
import type { Embedder } from '../types.ts'
import { remove, sync } from './disk.ts'
import { openDocuments, type UpdatedDocuments } from './documents.ts'
import { compactJournal, type TextDigest, withJournal } from './embedding-journal.ts'
import { journaledEmbedder } from './journaled-embedder.ts'
import {
  commitManifest,
  currentFolders,
  type DenseManifest,
  generationName,
  type IndexManifest,
  newManifest,
} from './manifest.ts'
import { version } from './version.ts'
import { writeDocuments } from './write-documents.ts'

export interface BuildProgress {
  readonly task: 'read' | 'bm25' | 'dense'
  /** Number of documents processed. */
  readonly done: number
  readonly total?: number
}

export interface GenerationOptions {
  readonly bm25: WinkBm25Options
  readonly dense?: DenseManifest | undefined
  /** Required with `dense`. */
  readonly embedder?: Embedder | undefined
  readonly onProgress?: ((progress: BuildProgress) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export interface BuiltIndex {
  readonly manifest: IndexManifest
  /** Number of texts embedded by this build. The other vectors come from earlier builds. */
  readonly embedded: number
}

/** A name for a state of an index, and for the folder of a build. */
export const newGeneration = (): string => `generation-${randomBytes(8).toString('hex')}`

/** @throws QuerentError `bad-document`: an index has at least one document */
export const emptyIndex = (what: string): QuerentError =>
  new QuerentError('bad-document', what, { remedy: 'Give a corpus with at least one document.' })

/** Makes these documents the index of a folder. What it replaces is removed. */
export async function replaceIndex(
  out: string,
  documents: Documents,
  options: GenerationOptions,
): Promise<BuiltIndex> {
  const { bm25, dense, onProgress, signal } = options
  const name = newGeneration()
  const folder = join(out, name)
  await mkdir(folder)
  const { docids, digest } = await writeDocuments(documents, folder, {
    ...(signal && { signal }),
    onProgress: (done) => onProgress?.({ task: 'read', done }),
  })
  if (docids.length === 0) throw emptyIndex('The corpus holds no documents')
  const store = await openDocuments(folder)
  try {
    await writeWords(store, folder, options)
    const { embedded, texts } = await writeVectors(store, out, folder, options)
    signal?.throwIfAborted()
    const manifest = newManifest(
      {
        generation: name,
        folder: name,
        documents: docids.length,
        corpus: digest,
        bm25: { ...bm25 },
        ...(dense && { dense }),
        files: await syncFolder(out, name),
      },
      version,
    )
    await commitManifest(out, manifest)
    await removeUnused(out)
    if (dense) await compactJournal(join(out, dense.journal), dense.dimensions, texts)
    return { manifest, embedded }
  } finally {
    await store.close()
  }
}

async function writeWords(
  store: UpdatedDocuments,
  folder: string,
  { bm25, onProgress, signal }: GenerationOptions,
): Promise<void> {
  const total = store.size
  onProgress?.({ task: 'bm25', done: 0, total })
  const index = await buildWinkBm25(store.all(), {
    ...bm25,
    keepDocuments: false,
    ...(signal && { signal }),
    onProgress: (done) => onProgress?.({ task: 'bm25', done, total }),
  })
  await index.save(folder)
}

/** @returns the number of texts that were embedded, and the digests of all */
async function writeVectors(
  store: UpdatedDocuments,
  out: string,
  folder: string,
  { dense, embedder, onProgress, signal }: GenerationOptions,
): Promise<{ readonly embedded: number; readonly texts: ReadonlySet<TextDigest> }> {
  if (dense === undefined || embedder === undefined) return { embedded: 0, texts: new Set() }
  return withJournal(join(out, dense.journal), dense.dimensions, async (journal) => {
    const journaled = journaledEmbedder(embedder, journal, (done) =>
      onProgress?.({ task: 'dense', done, total: store.size }),
    )
    const index = await buildFaiss(store.all(), {
      embedder: journaled,
      hnsw: dense.hnsw ?? dense.kind === 'hnsw',
      keepDocuments: false,
      ...(signal && { signal }),
    })
    await index.save(folder)
    await index.close()
    return { embedded: journaled.computed, texts: journaled.used }
  })
}

/** Flushes all files of a build to disk. Returns their sizes, by their paths in the folder of the index. */
async function syncFolder(out: string, name: string): Promise<Record<string, number>> {
  const folder = join(out, name)
  const sizes: Record<string, number> = {}
  for (const file of (await readdir(folder)).sort()) {
    await sync(join(folder, file))
    sizes[`${name}/${file}`] = (await stat(join(folder, file))).size
  }
  await sync(folder)
  await sync(out)
  return sizes
}

/** The files that a killed build may have left incomplete. */
const leftOver = /^(index\.json|embeddings-[0-9a-f]{16}\.journal)\.[0-9a-f]{16}\.part$/

/** Removes the folders that `index.json` does not name, and incomplete files. The lock excludes other builds. */
export async function removeUnused(out: string): Promise<void> {
  const used = await currentFolders(out)
  for (const file of await readdir(out))
    if (leftOver.test(file) || (generationName.test(file) && !used.has(file))) await remove(join(out, file))
}
