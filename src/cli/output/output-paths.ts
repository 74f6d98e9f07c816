/** What a command writes must not be what it reads, nor two things at once. */
import { statSync } from 'node:fs'
import { QuerentError } from '../../errors.ts'
import { checkWritable, isCollectionFile, placeOf } from './output-file.ts'

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
    if (other !== undefined)
      throw new QuerentError('bad-config', `${other} and ${option} are the same file, ${path}`, {
        remedy: 'Give each a file of its own.',
      })
    if (read.some((input) => place === input || isCollectionFile(place, input)))
      throw new QuerentError('bad-config', `${option} ${path} is a file that this command reads`, {
        remedy: 'Choose another file.',
      })
    optionOf.set(place, option)
  }
  for (const path of Object.values(outputs)) await checkWritable(path)
}

function isDevice(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && !found.isFile() && !found.isDirectory()
}
