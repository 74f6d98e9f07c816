/** The file of a sparse index: one line of JSON, then the three arrays of its postings as in memory. */
import { endianness } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { readArrays, writeArrays } from './index-file.ts'
import type { Postings } from './postings.ts'

/** An index, and the name of the encoder that weighed its words. */
export interface SavedSparse {
  readonly encoder: string
  readonly postings: Postings
}

const fileName = 'sparse.index'
const format = 'querent-sparse'

const headerSchema = z.object({
  format: z.literal(format),
  version: z.literal(1),
  endianness: z.literal(endianness()),
  encoder: z.string(),
  docids: z.array(z.string()),
  tokens: z.array(z.string()),
  postings: z.int().nonnegative(),
  digest: z.string(),
})

export async function writeSparse(folder: string, { encoder, postings }: SavedSparse): Promise<void> {
  const header: Omit<z.input<typeof headerSchema>, 'digest'> = {
    format,
    version: 1,
    endianness: endianness(),
    encoder,
    docids: [...postings.docids],
    // A map keeps its order: each token has the next number.
    tokens: [...postings.tokens.keys()],
    postings: postings.weights.length,
  }
  await writeArrays(join(folder, fileName), header, [postings.offsets, postings.documents, postings.weights])
}

/** @throws QuerentError `bad-index` if the folder has no such index, or a damaged one */
export async function readSparse(folder: string): Promise<SavedSparse> {
  const { header, next } = await readArrays(join(folder, fileName), headerSchema, 'a sparse index')
  const postings: Postings = {
    docids: header.docids,
    tokens: new Map(header.tokens.map((token, index) => [token, index])),
    offsets: new Uint32Array(next(4 * (header.tokens.length + 1))),
    documents: new Uint32Array(next(4 * header.postings)),
    weights: new Float64Array(next(8 * header.postings)),
  }
  return { encoder: header.encoder, postings }
}
