import { realpathSync } from 'node:fs'
import { access, constants, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { QuerentError } from '../../errors.ts'
import { say, type Terminal } from './terminal.ts'

/** Checks, before the work, that a file can be written. @throws QuerentError `write-failed` if it cannot */
export async function checkWritable(path: string | undefined): Promise<void> {
  if (path === undefined) return
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory()) {
    throw new QuerentError('write-failed', `${path} cannot be written: it is a folder`, {
      remedy: 'Name a file.',
    })
  }
  // A file is replaced by a new one from the same folder. Devices such as `/dev/stdout` are written directly.
  const target = await realpath(path).catch(() => path)
  const needed = found === undefined ? [dirname(path)] : found.isFile() ? [dirname(target), target] : [path]
  for (const place of needed) {
    await access(place, constants.W_OK).catch((cause: unknown) => {
      throw new QuerentError('write-failed', `The file ${path} cannot be written`, {
        remedy: 'Choose a folder that exists, and a file there that you may write.',
        cause,
      })
    })
  }
}

/** The files of a collection in both layouts of BEIR. */
const collectionFile = /^((corpus|queries)(\.[^.]+)?\.jsonl|qrels(\.[^.]+)?\.tsv)(\.gz)?$/

/** Says so if a file is written into the folder of a collection. Files of the collection itself are for `checkOutputs`. */
export function warnBesideSources(out: string, folder: string, terminal: Terminal): void {
  if (isSameFolder(dirname(out), folder))
    say(terminal, `--out ${out} is in the folder of the collection itself.`)
}

/** Whether the path is that of a file of the collection in this folder, by its name. */
export const isCollectionFile = (path: string, folder: string): boolean =>
  isSameFolder(dirname(path), join(folder, 'qrels')) ||
  (isSameFolder(dirname(path), folder) && collectionFile.test(basename(path)))

/** Whether two paths lead to one folder. */
export const isSameFolder = (one: string, other: string): boolean => placeOf(one) === placeOf(other)

/** One spelling for all paths that lead to a file or folder, whether or not it exists. */
export function placeOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const whole = resolve(path)
    return dirname(whole) === whole ? whole : join(placeOf(dirname(whole)), basename(whole))
  }
}
