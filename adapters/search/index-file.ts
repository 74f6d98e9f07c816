/** Files of an index: written beside and renamed, and recognised when they are read. */
import { createHash } from 'node:crypto'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { QuerentError } from '../../src/errors.ts'

/** Replaces a file, making its folder where there is none. Readers see the old content or the new one, never a part. */
export async function replaceFile(path: string, parts: readonly (string | Uint8Array)[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const beside = `${path}.new`
  const handle = await open(beside, 'w')
  try {
    for (const part of parts) await handle.writeFile(part)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(beside, path)
}

/** SHA-256 in hexadecimal. */
export function digestOf(parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

/** A file's content. @throws QuerentError `bad-index` where it cannot be read. */
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
