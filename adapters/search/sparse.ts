/**
 * Learned sparse retrieval in this process: an encoder such as SPLADE weighs the words of documents and queries, and words that
 * they do not have but might be searched by. The weights of documents are kept in an inverted index.
 */
import { z } from 'zod'
import { having, parseConfig } from '../../src/config.ts'
import type { Document, Retriever, SparseEncoder } from '../../src/types.ts'
import { type BuildOptions, checkedDocuments, type Documents } from './corpus.ts'
import { encodeSparse } from './encode-sparse.ts'
import { batchesOf, titleAndText } from './encoded-documents.ts'
import { filteringRetriever, type MetadataOf, metadataOf } from './filtering.ts'
import { badIndex } from './index-file.ts'
import { collectPostings, type Postings, searchPostings } from './postings.ts'
import { readSparse, writeSparse } from './sparse-file.ts'

export interface SparseIndexOptions {
  /** Weighs the words of documents and queries. You close it. */
  readonly encoder: SparseEncoder
  /** The retriever's name. Default: `sparse`. */
  readonly name?: string
  /** Whether the retriever keeps the documents, for policies, re-ranking and filters. Default: true. */
  readonly keepDocuments?: boolean
}

export interface OpenSparseOptions extends Pick<SparseIndexOptions, 'encoder' | 'name'> {
  /** The metadata of the documents, in the order of the index, for filters. Default: filters are refused. */
  readonly metadata?: MetadataOf
}

export interface SparseIndex extends Retriever {
  /** Number of documents in the index. */
  readonly size: number
  /** Writes the index to one file in a folder, atomically. */
  save(folder: string): Promise<void>
}

const nameSchema = z.string().min(1).default('sparse')

/**
 * Builds an index of the weights of titles and texts. Encoding takes nearly all of the time.
 *
 * @throws QuerentError `bad-config` for a wrong option; `bad-document`, with its position, for a wrong document or a duplicate
 *   docid; `embed-failed` for weights that are not finite. The encoder's own errors and an aborted signal's reason are thrown
 *   unchanged.
 */
export async function buildSparse(
  documents: Documents,
  { encoder, name, keepDocuments = true, onProgress, signal }: SparseIndexOptions & BuildOptions,
): Promise<SparseIndex> {
  parseConfig(having<SparseEncoder>('an encoder', 'encode'), encoder, 'buildSparse: encoder')
  const checked = parseConfig(nameSchema, name, 'buildSparse: name')
  const collected = collectPostings()
  const kept = keepDocuments ? new Map<string, Document>() : undefined
  let done = 0
  for await (const batch of batchesOf(checkedDocuments(documents, signal && { signal }))) {
    const settings = { kind: 'document', ...(signal && { signal }) } as const
    const weights = await encodeSparse(encoder, batch.map(titleAndText), settings)
    for (const [place, document] of batch.entries()) {
      collected.add(document.docid, weights[place]!)
      kept?.set(document.docid, document)
    }
    done += batch.length
    onProgress?.(done)
  }
  return retrieverOf({
    name: checked,
    encoder,
    postings: collected.finish(),
    kept,
    metadata: metadataOf(kept),
  })
}

/**
 * Opens an index that `save` wrote to a folder. Pass the encoder that built it.
 *
 * @throws QuerentError `bad-config`; `bad-index` if the folder has no such index, a damaged one, or one of another encoder
 */
export async function loadSparse(
  folder: string,
  { encoder, name, metadata }: OpenSparseOptions,
): Promise<SparseIndex> {
  const checked = parseConfig(nameSchema, name, 'loadSparse: name')
  const { encoder: own, postings } = await readSparse(folder)
  if (own !== encoder.name) throw badIndex(folder, `its weights are those of ${own}, not of ${encoder.name}`)
  return retrieverOf({ name: checked, encoder, postings, kept: undefined, metadata })
}

interface Parts {
  readonly name: string
  readonly encoder: SparseEncoder
  readonly postings: Postings
  readonly kept: ReadonlyMap<string, Document> | undefined
  readonly metadata: MetadataOf | undefined
}

function retrieverOf({ name, encoder, postings, kept, metadata }: Parts): SparseIndex {
  const retriever = filteringRetriever(name, { kept, metadata }, async (subQueries, masks, { k, signal }) => {
    const texts = subQueries.map(({ text }) => text)
    const weights = await encodeSparse(encoder, texts, { kind: 'query', ...(signal && { signal }) })
    signal?.throwIfAborted()
    return weights.map((words, at) => searchPostings(postings, words, k, masks[at]?.passes))
  })
  return {
    ...retriever,
    kind: 'sparse',
    size: postings.docids.length,
    save: (folder) => writeSparse(folder, { encoder: encoder.name, postings }),
  }
}
