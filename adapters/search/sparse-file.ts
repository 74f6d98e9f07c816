/** The file of a sparse index: one line of JSON, then the three arrays of its postings as in memory. */
import { endianness } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { replaceFile } from '../../src/runtime/atomic-file.ts'
import { badIndex, digestOf, readIndexFile } from './index-file.ts'
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
  const arrays = [postings.offsets, postings.documents, postings.weights].map(
    (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
  )
  const header: z.input<typeof headerSchema> = {
    format,
    version: 1,
    endianness: endianness(),
    encoder,
    docids: [...postings.docids],
    // A map keeps its order: each token has the next number.
    tokens: [...postings.tokens.keys()],
    postings: postings.weights.length,
    digest: digestOf(arrays),
  }
  await replaceFile(join(folder, fileName), [`${JSON.stringify(header)}\n`, ...arrays])
}

/** @throws QuerentError `bad-index` if the folder has no such index, or a damaged one */
export async function readSparse(folder: string): Promise<SavedSparse> {
  const path = join(folder, fileName)
  const bytes = await readIndexFile(path)
  const lineEnd = bytes.indexOf('\n')
  const header = parseHeader(path, bytes.toString('utf8', 0, Math.max(lineEnd, 0)))
  const body = bytes.subarray(lineEnd + 1)
  if (digestOf([body]) !== header.digest) throw badIndex(path, 'it was cut or changed after it was written')

  // Copied, because a typed array must start at a multiple of its element size, and the header can have any length.
  const part = (start: number, length: number) => new Uint8Array(body.subarray(start, start + length)).buffer
  const offsetBytes = 4 * (header.tokens.length + 1)
  const documentBytes = 4 * header.postings
  const postings: Postings = {
    docids: header.docids,
    tokens: new Map(header.tokens.map((token, index) => [token, index])),
    offsets: new Uint32Array(part(0, offsetBytes)),
    documents: new Uint32Array(part(offsetBytes, documentBytes)),
    weights: new Float64Array(part(offsetBytes + documentBytes, 2 * documentBytes)),
  }
  return { encoder: header.encoder, postings }
}

function parseHeader(path: string, line: string): z.output<typeof headerSchema> {
  let header: unknown
  try {
    header = JSON.parse(line)
  } catch (error) {
    throw badIndex(path, 'it is not a sparse index, or it was cut', error)
  }
  const parsed = headerSchema.safeParse(header)
  if (parsed.success) return parsed.data
  throw badIndex(path, 'it is not a sparse index of this version')
}
