/** Opens the current state of an index with the requested retrievers. */
import { join, resolve } from 'node:path'
import { titleAndText } from '../../adapters/search/encoded-documents.ts'
import type { MetadataOf } from '../../adapters/search/filtering.ts'
import { loadUpdatedBm25 } from '../../adapters/search/wink-bm25.ts'
import { QuerentError } from '../errors.ts'
import type { Document, Embedder, Hit, Retriever } from '../types.ts'
import { codeOf } from './disk.ts'
import { type DocumentStore, openDocuments, type UpdatedDocuments, withDocuments } from './documents.ts'
import { lostVectors, textDigest, withJournal } from './embedding-journal.ts'
import { checkFiles, type DenseManifest, type IndexManifest, readManifest } from './manifest.ts'
import { shellQuoted } from './shell-quoted.ts'
import { linesFile } from './write-documents.ts'

export interface OpenOptions {
  /** The retrievers to open: `bm25`, `dense`. Default: all retrievers of the index. Other retrievers are not loaded. */
  readonly retrievers?: readonly string[]
  /** Loads the embedding model of the index. Required for `dense`. The index closes the embedder. */
  readonly embedder?: (dense: DenseManifest) => Promise<Embedder>
  /** Compares the vectors of many texts at once; see `LoadFaissOptions`. Default: false. */
  readonly batched?: boolean
}

export interface OpenedIndex {
  readonly manifest: IndexManifest
  /** In the order of `OpenOptions.retrievers`. */
  readonly retrievers: readonly Retriever[]
  readonly documents: DocumentStore
  /** Adds the documents to hits. Meant for the few hits of a result, since documents may be read from disk. */
  withDocuments(hits: readonly Hit[]): Promise<readonly Hit[]>
  /** Closes the document store, the retrievers and the embedder. */
  close(): Promise<void>
}

/** A concurrent build can remove folders of the index while it is being opened. Then the new index is opened instead. */
const maxAttempts = 5

/**
 * Opens the index of a folder. An opened index does not change, even if a build replaces it on disk.
 *
 * @throws QuerentError `missing-file` if there is no index; `bad-index` if it is damaged, was built by another version or
 * with another model, or has no vectors for `dense`; `bad-config` for an unknown retriever, or `dense` without an embedder.
 * Errors of the embedder are rethrown unchanged.
 */
export async function openIndex(folder: string, options: OpenOptions = {}): Promise<OpenedIndex> {
  const path = resolve(folder)
  for (let attempt = 1; ; attempt++) {
    const manifest = await readManifest(path)
    try {
      return await openManifest(path, manifest, options)
    } catch (error) {
      const replaced = (await readManifest(path)).generation !== manifest.generation
      if (!replaced || attempt === maxAttempts) throw error
    }
  }
}

async function openManifest(
  path: string,
  manifest: IndexManifest,
  options: OpenOptions,
): Promise<OpenedIndex> {
  const loaders = loadersOf(path, manifest, options)
  const names = options.retrievers ?? [...loaders.keys()]
  for (const name of names) {
    if (loaders.has(name)) continue
    const isDense = name === 'dense'
    const code = isDense ? 'bad-index' : 'bad-config'
    throw new QuerentError(code, `The index in ${path} has no retriever ${JSON.stringify(name)}`, {
      remedy: isDense
        ? `Make it again with \`querent index <corpus> --out ${shellQuoted(path)} --dense\`.`
        : `It has ${[...loaders.keys()].join(', ')}.`,
    })
  }
  await checkFiles(path, manifest)

  const opened: { close?(): Promise<void> }[] = []
  const close = async () => {
    for (const part of opened.reverse()) await part.close?.()
  }
  try {
    const { folder, files } = manifest
    const documents = await openDocuments(join(path, folder), files[`${folder}/${linesFile}`])
    opened.push(documents)
    const retrievers: Retriever[] = []
    const metadata = metadataOf(documents)
    for (const name of names) retrievers.push(await loaders.get(name)!(documents, metadata, opened))
    return {
      manifest,
      retrievers,
      documents,
      withDocuments: (hits) => withDocuments(hits, (docids) => documents.get(docids)),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Opens a retriever, and adds it and its embedder to the list of what is to be closed. */
type Loader = (
  documents: UpdatedDocuments,
  metadata: MetadataOf,
  opened: { close?(): Promise<void> }[],
) => Promise<Retriever>

/** Reads the metadata of all documents at the first filter. Retrievers share them: all have the order of the corpus. */
function metadataOf(documents: DocumentStore): MetadataOf {
  let metadata: Promise<Document['metadata'][]> | undefined
  const read = async (): Promise<Document['metadata'][]> => {
    const all: Document['metadata'][] = []
    for await (const document of documents.all()) all.push(document.metadata)
    return all
  }
  return () => {
    metadata ??= read().catch((error: unknown) => {
      metadata = undefined
      throw error
    })
    return metadata
  }
}

/** Retriever name → loader, for the retrievers of the index. */
function loadersOf(path: string, manifest: IndexManifest, options: OpenOptions): ReadonlyMap<string, Loader> {
  const folder = join(path, manifest.folder)
  const loaders = new Map<string, Loader>()
  loaders.set('bm25', async ({ live, all }, metadata, opened) => {
    const retriever = await loadUpdatedBm25(folder, { live, added: all(live.length) }, { metadata })
    opened.push(retriever)
    return retriever
  })
  const { dense } = manifest
  if (dense === undefined) return loaders
  return loaders.set('dense', async ({ live, all, changes }, metadata, opened) => {
    const embedder = await embedderOf(path, dense, options)
    opened.push(embedder)
    // Most indexes are opened for words alone.
    const { loadUpdatedFaiss } = await import('../../adapters/search/faiss.ts')
    const added = changes === 0 ? new Map() : await vectorsOf(all(live.length), path, dense)
    const { batched = false } = options
    const retriever = await loadUpdatedFaiss(folder, { live, added }, { embedder, metadata, batched })
    opened.push(retriever)
    return retriever
  })
}

/** Docid → vector, of documents that updates have embedded. @throws QuerentError `bad-index` if the journal has lost one */
const vectorsOf = (
  documents: AsyncIterable<Document>,
  path: string,
  { journal: file, dimensions }: DenseManifest,
): Promise<ReadonlyMap<string, Float32Array>> =>
  withJournal(
    join(path, file),
    dimensions,
    async (journal) => {
      const vectors = new Map<string, Float32Array>()
      for await (const document of documents) {
        const digest = textDigest(titleAndText(document))
        if (!journal.has(digest)) throw lostVectors(path)
        vectors.set(document.docid, await journal.get(digest))
      }
      return vectors
    },
    true,
  ).catch((error: unknown) => {
    throw codeOf(error) === 'ENOENT' ? lostVectors(path) : error
  })

async function embedderOf(
  path: string,
  dense: DenseManifest,
  { embedder: find }: OpenOptions,
): Promise<Embedder> {
  if (find === undefined) {
    throw new QuerentError('bad-config', `The index in ${path} has vectors, and no embedder was given`, {
      remedy: `Pass \`embedder\`, which finds ${dense.name}, or \`retrievers: ['bm25']\`.`,
    })
  }
  const embedder = await find(dense)
  if (embedder.name === dense.name && embedder.dimensions === dense.dimensions) return embedder
  await embedder.close?.()
  throw new QuerentError(
    'bad-index',
    `The vectors of ${path} were made by ${dense.name} (${dense.dimensions} dimensions), ` +
      `not by ${embedder.name} (${embedder.dimensions})`,
    { remedy: 'Search with the model that made them, or make the index again with this one.' },
  )
}
