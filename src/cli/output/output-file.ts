import { access, constants, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { QuerentError } from '../../errors.ts'

/** Checks that a file can be written when the work is done. @throws QuerentError `write-failed` where it cannot */
export async function checkWritable(path: string | undefined): Promise<void> {
  if (path === undefined) return
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory()) {
    throw new QuerentError('write-failed', `${path} cannot be written: it is a folder`, {
      remedy: 'Give the name of a file.',
    })
  }
  // A file is replaced by one that is written beside it; what is no file (`/dev/stdout`) is written as it is.
  const target = await realpath(path).catch(() => path)
  const needed = found === undefined ? [dirname(path)] : found.isFile() ? [dirname(target), target] : [path]
  for (const place of needed) {
    await access(place, constants.W_OK).catch((cause: unknown) => {
      throw new QuerentError('write-failed', `The file ${path} cannot be written`, {
        remedy: 'Choose a folder that exists, and a file in it that you may write to.',
        cause,
      })
    })
  }
}
