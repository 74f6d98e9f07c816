/** Answers a search request over HTTP. All framework adapters use it. */
import { z } from 'zod'
import { parseConfig } from '../../../src/config.ts'
import { isQuerentError, toError } from '../../../src/errors.ts'
import type { SearchOptions } from '../../../src/search.ts'
import type { Query } from '../../../src/types.ts'
import { answerOf } from './answer.ts'
import { asAsked, jsonResponse } from './json-response.ts'
import { endpointShape, type SearchEndpointOptions, searcherFor } from './options.ts'
import { type AskedParameters, readParameters, wantsStream } from './parameters.ts'
import { type Problem, problem, problemOfError, problemResponse } from './problem.ts'
import { lineOf, streamResponse } from './stream.ts'

/** Answers a search request, whatever its path. Never rejects: an error becomes an answer. */
type Respond<Context> = (request: Request, context: Context) => Promise<Response>

const methods = ['GET', 'HEAD', 'POST']

/** The status if the client has disconnected, which nginx uses too. No client receives it. */
const gone = (): Response => new Response(null, { status: 499 })

/**
 * @param where the function that received the options
 * @throws QuerentError `bad-config` that names every wrong option
 */
export function createRespond<Context>(
  options: SearchEndpointOptions<Context>,
  where: string,
): Respond<Context> {
  const { documents, explain, maxHits, limit } = parseConfig(z.strictObject(endpointShape), options, where)
  const { optimizer, filter = false } = options
  const limits = { limit, maxHits, filter: filter !== false }

  function report(error: Error, context: Context): void {
    try {
      options.onError?.(error, context)
    } catch {
      // An error of the logger must not change the answer.
    }
  }

  async function queryOf(
    { explain: _, answer: __, exclude: ___, ...parameters }: AskedParameters,
    context: Context,
  ): Promise<Query> {
    if (typeof filter !== 'function') return parameters
    const made: unknown = await filter(parameters.filter, context)
    const { filter: ____, ...rest } = parameters
    return made === undefined ? rest : { ...rest, filter: made }
  }

  async function answer(request: Request, context: Context): Promise<Response> {
    const streams = wantsStream(request)
    const parameters = await readParameters(request, limits)
    const query = await queryOf(parameters, context)
    const searcher = await searcherFor(optimizer, context)
    const shown = { documents, explain: explain && parameters.explain === true }

    const { exclude } = parameters
    const wanted = {
      ...(parameters.answer === false && { answer: false }),
      ...(exclude && { exclude }),
    }
    const search = async (options: SearchOptions) =>
      answerOf(await searcher.search(query, { ...options, ...wanted }), shown)

    const problemOf = (thrown: unknown): Problem => {
      const error = toError(thrown)
      const found = problemOfError(error, parameters.filter !== undefined)
      const isGone = request.signal.aborted || isQuerentError(error, 'aborted')
      if (!isGone && (found.status >= 500 || !isQuerentError(error))) report(error, context)
      return found
    }

    if (streams) {
      return streamResponse(
        ({ signal: unread, ...watching }) =>
          search({ ...watching, signal: AbortSignal.any([request.signal, unread]) })
            .then((found) => lineOf({ type: 'result', ...found }))
            .catch((thrown) => lineOf({ type: 'error', problem: problemOf(thrown) })),
        shown,
      )
    }
    return search({ signal: request.signal })
      .then((found) => jsonResponse(found))
      .catch((thrown) => problemResponse(problemOf(thrown)))
  }

  return async (request, context) => {
    const { method } = request
    if (!methods.includes(method)) {
      const wrong = problem('wrong-method', `${method} is not for searching`)
      return problemResponse(wrong, { allow: methods.join(', ') })
    }
    try {
      const response = await answer(request, context)
      return request.signal.aborted ? gone() : asAsked(request, response)
    } catch (thrown) {
      if (thrown instanceof Response) return asAsked(request, thrown)
      if (request.signal.aborted) return gone()
      report(toError(thrown), context)
      return problemResponse(problem('setup-failed', 'The search was not begun'))
    }
  }
}
