import { QuerentError } from '../../errors.ts'

/** What long work that wrote nothing ends with, so that a script does not go on with an empty file. */
export const allFailed = (what: string, first: Error): QuerentError =>
  new QuerentError('chat-failed', `Nothing was written: ${what} failed`, {
    remedy: `The first reason: ${first.message}`,
    cause: first.cause,
  })
