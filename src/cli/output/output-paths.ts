/** What a command writes must not be what it reads, nor two things at once, and it must be possible to write it. */
import { realpathSync, statSync } from 'node:fs'
import { access, constants, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { QuerentError } from '../../errors.ts'
import { refuse } from '../settings/setting.ts'
import { say, type Terminal } from './terminal.ts'

/**
 * Checks, before the work, that no two files that a command writes are the same, that none is a file that it reads, and that each can be written. Devices
 * such as `/dev/stdout` may be named twice.
 *
 * @param outputs the paths by the names of their options; undefined if nothing is written
 * @param inputs files and folders; the files of a collection in such a folder are read, too
 * @throws QuerentError `bad-config` with the name of the option; `write-failed`
 */
export async function checkOutputs(
  outputs: Readonly<Record<string, string | undefined>>,
  inputs: readonly (string | undefined)[] = [],
): Promise<void> {
  const optionOf = new Map<string, string>()
  const read = inputs.flatMap((input) => (input === undefined ? [] : [placeOf(input)]))
  for (const [option, path] of Object.entries(outputs)) {
    if (path === undefined || isDevice(path)) continue
    const place = placeOf(path)
    const other = optionOf.get(place)
    const isRead = read.some((input) => place === input || isCollectionFile(place, input))
    refuse(
      other !== undefined,
      `${other} and ${option} are the same file, ${path}`,
      'Give each its own file.',
    )
    refuse(isRead, `${option} ${path} is a file that this command reads`, 'Choose another file.')
    optionOf.set(place, option)
  }
  for (const path of Object.values(outputs)) await checkWritable(path)
}

/** Checks `--out`, and says so if it is in the folder of the collection. @param inputs read beside the folder */
export async function checkOut(
  out: string,
  folder: string | undefined,
  inputs: readonly (string | undefined)[],
  terminal: Terminal,
): Promise<void> {
  await checkOutputs({ '--out': out }, [folder, ...inputs])
  if (folder !== undefined) warnBesideSources(out, folder, terminal)
}

/** Says so if a file is written into the folder of a collection. Files of the collection itself are for `checkOutputs`. */
export function warnBesideSources(out: string, folder: string, terminal: Terminal): void {
  if (isSameFolder(dirname(out), folder))
    say(terminal, `--out ${out} is in the folder of the collection itself.`)
}

function isDevice(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && !found.isFile() && !found.isDirectory()
}

/** @throws QuerentError `write-failed` if a file cannot be written */
async function checkWritable(path: string | undefined): Promise<void> {
  if (path === undefined) return
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory())
    throw new QuerentError('write-failed', `${path} cannot be written: it is a folder`, {
      remedy: 'Name a file.',
    })
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

/** Whether the path is that of a file of the collection in this folder, by its name. */
const isCollectionFile = (path: string, folder: string): boolean =>
  isSameFolder(dirname(path), join(folder, 'qrels')) ||
  (isSameFolder(dirname(path), folder) && collectionFile.test(basename(path)))

/** Whether two paths lead to one folder. */
export const isSameFolder = (one: string, other: string): boolean => placeOf(one) === placeOf(other)

/** One spelling for all paths that lead to a file or folder, whether or not it exists. */
function placeOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const whole = resolve(path)
    return dirname(whole) === whole ? whole : join(placeOf(dirname(whole)), basename(whole))
  }
}
