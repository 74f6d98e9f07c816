/** What an index folder needs of the disk, and errors of the disk in words. */
import { open, rm, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isQuerentError, QuerentError, toError } from '../errors.ts'

/** Waits until the bytes of a file or the entries of a folder are on the disk. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } catch (error) {
    // Folders cannot be synced on Windows, nor anything on some network disks: nothing else could be done there.
    if (!['EPERM', 'EINVAL', 'ENOTSUP', 'EISDIR'].includes(codeOf(error) ?? '')) throw error
  } finally {
    await handle.close()
  }
}

/** Removes a file or folder, if it is there. */
export async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true })
}

/** Removes a folder and those above it up to `last`, as far as they are empty. */
export async function removeEmpty(folder: string, last: string): Promise<void> {
  try {
    for (let path = folder; ; path = dirname(path)) {
      await rmdir(path)
      if (path === last) return
    }
  } catch {
    // Something is in it.
  }
}

/** The `code` of an error of the operating system, for example `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

/** An error of the disk while a folder was written, in words; every other error as it is. */
export function asWriteError(error: unknown, folder: string): Error {
  const reason = isQuerentError(error) ? undefined : diskErrors[codeOf(error) ?? '']
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
