/** Files that bear their name only when they are whole: until then they are `<name>.part`. */
import { lstat, realpath, rename, rm, stat } from 'node:fs/promises'

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
