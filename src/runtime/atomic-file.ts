/**
 * Atomic writes: a file is written under a name that nobody can guess, `<name>.<random>.part`, and gets its own name when it is
 * complete. It is opened with `flag`, which refuses a file or a link that is already there.
 */
import { randomBytes } from 'node:crypto'
import { lstat, mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface PartFile {
  /** The path to write to. */
  readonly part: string
  /** How to open it. */
  readonly flag: 'w' | 'wx'
  /** Renames the part, replacing an existing file. */
  complete(): Promise<void>
  /** Renames an incomplete part to `<name>.part`, replacing a file or a link there. Returns that path. */
  keep(): Promise<string>
}

/**
 * Returns the path to write to until the file is complete. Anything but a regular file (`/dev/stdout` to a pipe, for
 * example) is written directly. A symbolic link is preserved: the file it points to is replaced.
 *
 * @param follows false for a path that nobody chose: a link there is replaced by the file
 */
export async function partFile(path: string, follows = true): Promise<PartFile> {
  const current = await stat(path).catch(() => undefined)
  if (follows && current !== undefined && !current.isFile())
    return { part: path, flag: 'w', complete: async () => {}, keep: async () => path }
  const isLink = follows && current !== undefined && (await lstat(path)).isSymbolicLink()
  const target = isLink ? await realpath(path) : path
  const part = `${target}.${randomBytes(8).toString('hex')}.part`
  const kept = `${target}.part`
  return {
    part,
    flag: 'wx',
    complete: () => rename(part, target),
    keep: () => rename(part, kept).then(() => kept),
  }
}

/** Calls `write` with the part's path, then replaces the file at `path`. If `write` throws, the part is removed. */
export async function writeAtomically(
  path: string,
  write: (part: string, flag: PartFile['flag']) => Promise<void>,
  follows = true,
): Promise<void> {
  const { part, flag, complete } = await partFile(path, follows)
  try {
    await write(part, flag)
    await complete()
  } catch (error) {
    if (part !== path) await rm(part).catch(() => {})
    throw error
  }
}

/**
 * Replaces a file with these chunks and creates its folder if needed. The content reaches the disk before the file gets its
 * name, so readers see either the old content or the new one, even after a power failure.
 */
export async function replaceFile(
  path: string,
  chunks: readonly (string | Uint8Array)[],
  follows = true,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeAtomically(path, (part, flag) => writeFile(part, chunks, { flag, flush: true }), follows)
}
