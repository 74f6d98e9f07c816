/** Endpoints that answer a JSON body with JSON, in the protocols of others. */
import type { z } from 'zod'
import { isQuerentError, toError } from '../../../src/errors.ts'
import { readJson } from './body.ts'
import { jsonResponse } from './json-response.ts'
import { inBody, parsed } from './parameters.ts'
import { problem, problemOfError, problemResponse } from './problem.ts'

export interface PostJsonOptions<Asked> {
  /** What the endpoint is for, in the answer to other methods. */
  readonly purpose: string
  readonly schema: z.ZodType<Asked>
  /** Bytes of a body. */
  readonly limit: number
  answer(asked: Asked, signal: AbortSignal): Promise<unknown>
  /** Called with the error of a request that failed here. */
  readonly onError?: ((error: Error) => void) | undefined
}

/** Makes the handler. It never rejects: the answer to a failed request is a `Problem`. */
export const postJson =
  <Asked>({ purpose, schema, limit, answer, onError }: PostJsonOptions<Asked>) =>
  async (request: Request): Promise<Response> => {
    const { method, signal } = request
    if (method !== 'POST')
      return problemResponse(problem('wrong-method', `${method} is not for ${purpose}: use POST`), {
        allow: 'POST',
      })
    try {
      return jsonResponse(await answer(parsed(schema, await readJson(request, limit), inBody), signal))
    } catch (thrown) {
      if (thrown instanceof Response) return thrown
      const error = toError(thrown)
      if (!signal.aborted && !isQuerentError(error, 'aborted')) onError?.(error)
      return problemResponse(problemOfError(error, false))
    }
  }
