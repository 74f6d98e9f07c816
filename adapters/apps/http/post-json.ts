/** Endpoints that answer a JSON body with JSON, in the protocols of others. */
import { z } from 'zod'
import { queryLimit } from '../../../src/config.ts'
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

/** What is wrong with a body that is not one JSON object. */
export const oneObject: { error: (issue: { readonly code?: string }) => string | undefined } = {
  error: ({ code }) => (code === 'invalid_type' ? 'must be one JSON object' : undefined),
}

/** The query of the user. */
export const queryText = z
  .string({ error: ({ input }) => (input === undefined ? 'is missing' : 'must be text') })
  .max(...queryLimit)
