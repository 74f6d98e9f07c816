/** Long work that appends to a file, and that the same command continues where it was stopped. */
import { type ErrorCode, isQuerentError, QuerentError } from '../../errors.ts'
import { type Progress, withProgress } from '../output/progress.ts'
import { say, type Terminal } from '../output/terminal.ts'

/** Errors after which the same command would fail again. */
const aboutFiles: readonly ErrorCode[] = ['bad-config', 'bad-file', 'write-failed']

/** Shows the progress of the work, and says how to continue it if it fails. */
export const resumable = <Report>(
  out: string,
  terminal: Terminal,
  work: (progress: Progress) => Promise<Report>,
): Promise<Report> =>
  withProgress(terminal, work).catch((error: unknown) => {
    if (!isQuerentError(error) || !aboutFiles.includes(error.code))
      say(terminal, `What is finished is in ${out}. Run the same command again to continue.`)
    throw error
  })

/** What such work that wrote nothing ends with, so that a script does not go on with an empty file. */
export const allFailed = (what: string, first: Error): QuerentError =>
  new QuerentError('chat-failed', `Nothing was written: ${what} failed`, {
    remedy: `The first reason: ${first.message}`,
    cause: first.cause,
  })
