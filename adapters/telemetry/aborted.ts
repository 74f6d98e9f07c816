/** What ended because its caller left: no failure, so that it sets off no alarm. */
import type { SearchReport } from '../../src/observe.ts'
import { toFailure } from '../../src/trace.ts'
import type { Failure } from '../../src/types.ts'

/** The reasons of Querent's servers, of a bare `abort()`, and of the clients of engines. */
const reasons: ReadonlySet<string> = new Set(['aborted', 'AbortError', 'RequestAbortedError'])

/** Whether a caller left its search. Observers see only the reason, and one of the caller's own looks like any other error. */
export const isAbortedSearch = ({ error }: SearchReport): boolean =>
  error !== undefined && reasons.has(toFailure(error).code)

/** Whether a step was abandoned. An `AbortError` may be the backend's own, which is a failure. */
export const isAborted = ({ code }: Failure): boolean => code === 'aborted'
