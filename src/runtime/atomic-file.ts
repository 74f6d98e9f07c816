/** Files that bear their name only when they are whole: until then they are `<name>.part`. */
import { lstat, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface PartFile {
  /** Where to write. */
  readonly part: string
  /** Gives the file its name, in place of the file that may have it. */
  complete(): Promise<void>
}

/** Says where to write a file. What is no file (`/dev/stdout` to a pipe) is written as it is; a link stays one. */
export async function partFile(path: string): Promise<PartFile> {
  const found = await stat(path).catch(() => undefined)
  if (found !== undefined && !found.isFile()) return { part: path, complete: async () => {} }
  const isLink = found !== undefined && (await lstat(path)).isSymbolicLink()
  const target = isLink ? await realpath(path) : path
  const part = `${target}.part`
  return { part, complete: () => rename(part, target) }
}

/** Lets `write` write a file, which replaces the one at `path` when it is done; where it throws, nothing is left of it. */
export async function writeWhole(path: string, write: (part: string) => Promise<void>): Promise<void> {
  const { part, complete } = await partFile(path)
  try {
    await write(part)
    await complete()
  } catch (error) {
    if (part !== path) await rm(part).catch(() => {})
    throw error
  }
}

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
