/** The page to look at a search, and the searches that it makes, on one path. */
import { z } from 'zod'
import { parseConfig } from '../../../src/config.ts'
import { createGuard, type GuardOptions, guardShape } from './guard.ts'
import { asAsked } from './json-response.ts'
import { endpointShape, type SearchEndpointOptions, type SearcherOf } from './options.ts'
import { pageResponse, type SampleOfPage } from './page-response.ts'
import { problem, problemResponse } from './problem.ts'
import { createRespond } from './respond.ts'

/** `Context` is the request as the framework knows it. */
export interface PlaygroundOptions<Context>
  extends Omit<SearchEndpointOptions<Context>, 'explain'>,
    GuardOptions {
  /** Whether the page shows documents, if the optimizer's hits have them. Default: true. */
  readonly documents?: boolean | undefined
  /** Other optimizers by name. The page can search with one of them beside the first. Default: none. */
  readonly others?: Readonly<Record<string, SearcherOf<Context>>> | undefined
}

const { explain: _, ...searchShape } = endpointShape

const playgroundShape = {
  ...searchShape,
  documents: z.boolean().default(true),
  others: z.record(z.string().min(1), endpointShape.optimizer).default({}),
  ...guardShape,
}

/**
 * Returns a function that answers GET with the page, and POST with a search: of the optimizer that `?system=` names, or of the
 * first. Never rejects.
 *
 * @param where the function that received the options
 * @param sample what the page says of a collection that it knows
 * @throws QuerentError `bad-config` that names every wrong option
 */
export function createPlayground<Context>(
  options: PlaygroundOptions<Context>,
  where: string,
  sample?: SampleOfPage,
): (request: Request, context: Context) => Promise<Response> {
  const { documents } = parseConfig(z.strictObject(playgroundShape), options, where)
  const { optimizer, others = {}, hosts, token, ...shared } = options
  const refuse = createGuard({ hosts, token })
  const respondWith = (searcher: SearcherOf<Context>) =>
    createRespond({ ...shared, documents, optimizer: searcher }, where)
  const first = respondWith(optimizer)
  const named = new Map(Object.entries(others).map(([name, other]) => [name, respondWith(other)]))

  return async (request, context) => {
    const refused = refuse(request)
    if (refused !== undefined) return asAsked(request, refused)
    const { method } = request
    if (method === 'GET' || method === 'HEAD')
      return asAsked(
        request,
        await pageResponse({ kind: 'searching', others: [...named.keys()], ...(sample && { sample }) }),
      )
    const system = new URL(request.url).searchParams.get('system')
    const respond = system === null ? first : named.get(system)
    if (respond !== undefined) return respond(request, context)
    const detail = 'is not the name of an optimizer'
    return problemResponse(problem('bad-request', `system ${detail}`, [{ parameter: 'system', detail }]))
  }
}
