/** Converts an error inside an answer to an `Error` in the format of the clients' `ResponseError`. */
import { isObject } from '../../../src/runtime/json.ts'

export interface PartError extends Error {
  readonly statusCode: number | undefined
  readonly body: object
}

/**
 * The error of one item. Its message is the engine's type and reason. It uses the first root cause if there is one, because the
 * outer error only says `all shards failed`.
 */
export function partError(body: object): PartError {
  const { error, status } = body as { readonly error?: unknown; readonly status?: unknown }
  return Object.assign(new Error(describe(error)), {
    name: 'ResponseError',
    statusCode: typeof status === 'number' ? status : undefined,
    body,
  })
}

function describe(error: unknown): string {
  if (!isObject(error)) return typeof error === 'string' && error !== '' ? error : 'The engine gave no reason'
  const causes: unknown = error.root_cause
  const { type, reason } = Array.isArray(causes) && isObject(causes[0]) ? causes[0] : error
  return [type, reason].filter((part) => typeof part === 'string').join(': ') || JSON.stringify(error)
}
