/** Reads the files of an index, and detects damage. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { z } from 'zod'
import { QuerentError } from '../../src/errors.ts'
import { replaceFile } from '../../src/runtime/atomic-file.ts'

/** SHA-256 in hexadecimal. */
function digestOf(parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

/** Reads a file. @throws QuerentError `bad-index` if it cannot be read. */
export async function readIndexFile(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    throw badIndex(path, 'it cannot be read', error)
  }
}

/**
 * Parses what describes an index.
 *
 * @param what the description, in messages
 * @throws QuerentError `bad-index`
 */
export function parseHeader<T>(path: string, text: string, schema: z.ZodType<T>, what: string): T {
  let header: unknown
  try {
    header = JSON.parse(text)
  } catch (error) {
    throw badIndex(path, `it is not ${what}, or it was cut`, error)
  }
  const parsed = schema.safeParse(header)
  if (parsed.success) return parsed.data
  throw badIndex(path, `it is not ${what} of this version`, parsed.error)
}

/** Writes one line of JSON with the digest of the arrays, then the arrays as in memory. */
export async function writeArrays(
  path: string,
  header: object,
  arrays: readonly (Uint32Array | Float32Array | Float64Array)[],
): Promise<void> {
  const bytes = arrays.map(
    ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
  )
  await replaceFile(path, [`${JSON.stringify({ ...header, digest: digestOf(bytes) })}\n`, ...bytes])
}

/**
 * Reads what `writeArrays` has written: the header, and a function that gives the bytes of the next array.
 *
 * @throws QuerentError `bad-index` as `parseHeader`, and if the arrays are damaged
 */
export async function readArrays<Header extends { readonly digest: string }>(
  path: string,
  schema: z.ZodType<Header>,
  what: string,
): Promise<{ readonly header: Header; readonly next: (length: number) => ArrayBuffer }> {
  const bytes = await readIndexFile(path)
  const lineEnd = bytes.indexOf('\n')
  const header = parseHeader(path, bytes.toString('utf8', 0, Math.max(lineEnd, 0)), schema, what)
  const body = bytes.subarray(lineEnd + 1)
  if (digestOf([body]) !== header.digest) throw badIndex(path, 'it was cut or changed after it was written')
  let start = 0
  // Copied, because a typed array must start at a multiple of its element size, and the header can have any length.
  const next = (length: number): ArrayBuffer => {
    start += length
    return new Uint8Array(body.subarray(start - length, start)).buffer
  }
  return { header, next }
}

/**
 * @param live for each document, 1 if it is still in the index, otherwise 0. Absent: all are
 * @throws QuerentError `bad-index` if it is of another number of documents
 */
export function checkLive(path: string, live: Uint8Array | undefined, documents: number): void {
  if (live !== undefined && live.length !== documents)
    throw badIndex(path, 'it has other documents than the index')
}

export function badIndex(path: string, what: string, cause?: unknown): QuerentError {
  return new QuerentError('bad-index', `${path}: ${what}`, cause === undefined ? {} : { cause })
}
