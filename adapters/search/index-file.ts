/** Reads the files of an index, and detects damage. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { QuerentError } from '../../src/errors.ts'

/** SHA-256 in hexadecimal. */
export function digestOf(parts: readonly Uint8Array[]): string {
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

export function badIndex(path: string, what: string, cause?: unknown): QuerentError {
  return new QuerentError('bad-index', `${path}: ${what}`, cause === undefined ? {} : { cause })
}
