/** File operations of index folders, and readable errors for failed writes. */
import { open, rm, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isQuerentError, QuerentError, toError } from '../errors.ts'

/** Flushes a file or the entries of a folder to disk. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } catch (error) {
    // Windows cannot sync folders, and some network disks cannot sync at all. There is no alternative, so ignore the error.
    if (!['EPERM', 'EINVAL', 'ENOTSUP', 'EISDIR'].includes(codeOf(error) ?? '')) throw error
  } finally {
    await handle.close()
  }
}

/** Removes a file or folder. Does nothing if it does not exist. */
export async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true })
}

/** Removes a folder and its parents up to `last`, as long as they are empty. */
export async function removeEmpty(folder: string, last: string): Promise<void> {
  try {
    for (let path = folder; ; path = dirname(path)) {
      await rmdir(path)
      if (path === last) return
    }
  } catch {
    // The folder is not empty.
  }
}

/** The `code` of an operating system error, for example `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

/** Errors of whatever gives what is written: documents, vectors. */
const ofGivers = new WeakSet<object>()

/** For the `catch` of what others give: their error is not one of the folder, even if it is of the file system. */
export function ofGiver(error: unknown): never {
  if (error instanceof Error) ofGivers.add(error)
  throw error
}

/** The items, whose errors are not those of the folder. */
export async function* asGiven<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* items
  } catch (error) {
    ofGiver(error)
  }
}

/** Turns a disk error during a write into a QuerentError with a remedy. Other errors are returned unchanged. */
export function asWriteError(error: unknown, folder: string): Error {
  const isOwn = error instanceof Error && !isQuerentError(error) && !ofGivers.has(error)
  const reason = isOwn ? diskErrors[codeOf(error) ?? ''] : undefined
  if (reason === undefined) return toError(error)
  return new QuerentError('write-failed', `${folder} cannot be written: ${reason.what}`, {
    remedy: reason.remedy,
    cause: error,
  })
}

const permission = { what: 'permission denied', remedy: 'Choose another folder, or change its permissions.' }
const space = {
  what: 'the disk is full',
  remedy: 'Free some space and run it again: it goes on where it stopped.',
}
const folder = { what: 'a file is in the way', remedy: 'Choose another folder.' }

const diskErrors: Readonly<Record<string, { readonly what: string; readonly remedy: string }>> = {
  EACCES: permission,
  EPERM: permission,
  EROFS: { what: 'the disk is read-only', remedy: 'Choose another folder.' },
  ENOSPC: space,
  EDQUOT: space,
  ENOTDIR: folder,
  EEXIST: folder,
}
