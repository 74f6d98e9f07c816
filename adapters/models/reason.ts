import { prettifyError, ZodError } from 'zod'
import { isQuerentError, QuerentError, toError } from '../../src/errors.ts'

/**
 * A one-line reason without a full stop, for the middle of an error message. Takes the innermost cause, because `fetch` reports
 * only "fetch failed". Cuts long messages, because some servers answer with a whole page.
 */
export function reasonOf(thrown: unknown): string {
  const error = toError(thrown)
  // Node tries several addresses of a host at once.
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause
  if (inner instanceof Error && !isQuerentError(error)) return reasonOf(inner)
  const message = isQuerentError(error) ? error.message.slice(0, -error.remedy.length - 1) : error.message
  const line = (error instanceof ZodError ? prettifyError(error) : message)
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/\.$/, '')
  return line.length > 300 ? `${line.slice(0, 300)}…` : line
}

/** The error about a file of a model. */
export const unusable = (
  what: string,
  cause: unknown,
  remedy = 'Delete the folder of the model, so that it is fetched again.',
): QuerentError => new QuerentError('bad-file', `${what}: ${reasonOf(cause)}`, { remedy, cause })
