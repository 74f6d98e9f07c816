/** What was abandoned because its search ended: no failure, so that it sets off no alarm. */
import type { Failure } from '../../src/types.ts'

/** Whether a step was abandoned. An `AbortError` may be the backend's own, which is a failure. */
export const isAborted = ({ code }: Failure): boolean => code === 'aborted'
