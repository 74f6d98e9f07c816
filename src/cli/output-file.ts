import { access, constants } from 'node:fs/promises'
import { dirname } from 'node:path'
import { QuerentError } from '../errors.ts'

/** Checks that a file can be written when the work is done. @throws QuerentError `write-failed` where it cannot */
export async function checkWritable(path: string | undefined): Promise<void> {
  if (path === undefined) return
  await access(dirname(path), constants.W_OK).catch((cause: unknown) => {
    throw new QuerentError('write-failed', `The file ${path} cannot be written`, {
      remedy: 'Choose a folder that exists and that you may write to.',
      cause,
    })
  })
}
