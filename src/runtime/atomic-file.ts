/** Atomic writes: a file is written as `<name>.part` and gets its name when it is complete. */
import { lstat, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface PartFile {
  /** The path to write to. */
  readonly part: string
  /** Renames the part, replacing an existing file. */
  complete(): Promise<void>
}

/**
 * Returns the path to write to until the file is complete. Anything but a regular file (`/dev/stdout` to a pipe, for
 * example) is written directly. A symbolic link is preserved: the file it points to is replaced.
 */
export async function partFile(path: string): Promise<PartFile> {
  const current = await stat(path).catch(() => undefined)
  if (current !== undefined && !current.isFile()) return { part: path, complete: async () => {} }
  const isLink = current !== undefined && (await lstat(path)).isSymbolicLink()
  const target = isLink ? await realpath(path) : path
  const part = `${target}.part`
  return { part, complete: () => rename(part, target) }
}

/** Calls `write` with the part's path, then replaces the file at `path`. If `write` throws, the part is removed. */
export async function writeAtomically(path: string, write: (part: string) => Promise<void>): Promise<void> {
  const { part, complete } = await partFile(path)
  try {
    await write(part)
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
export async function replaceFile(path: string, chunks: readonly (string | Uint8Array)[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeAtomically(path, async (part) => {
    const handle = await open(part, 'w')
    try {
      for (const chunk of chunks) await handle.writeFile(chunk)
      await handle.sync()
    } finally {
      await handle.close()
    }
  })
}
