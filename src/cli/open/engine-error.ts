/** Errors of the clients of Elasticsearch and OpenSearch, with what to do about them. */
import type { EngineKind } from '../../../adapters/search/cluster/cluster.ts'
import { isQuerentError, QuerentError, toError } from '../../errors.ts'

interface ReachedEngine {
  readonly engine: EngineKind
  readonly url: string | readonly string[]
}

const credentials =
  'QUERENT_ENGINE_API_KEY, or QUERENT_ENGINE_USERNAME and QUERENT_ENGINE_PASSWORD, or put them into the URL'

const engineNames = { elasticsearch: 'Elasticsearch', opensearch: 'OpenSearch' } as const

/** The status of an engine's answer that a client made an error of. */
export const statusOf = (error: unknown): unknown => (error as { readonly statusCode?: unknown }).statusCode

/** The error of a request to an engine, with the address and a remedy. One that is not an answer of it stays unchanged. */
export function engineError(thrown: unknown, reached: ReachedEngine): Error {
  const error = toError(thrown)
  if (isQuerentError(error)) return error
  const status = statusOf(error)
  // OpenSearch rejects the media types of Elasticsearch's client.
  if (error.name === 'ProductNotSupportedError' || status === 406)
    return wrongEngine(reached, undefined, error)
  const place = `${engineNames[reached.engine]} at ${withoutCredentials(reached.url)}`
  const [what, remedy] = failureOf(error, status, place) ?? []
  return what === undefined
    ? error
    : new QuerentError('retriever-failed', what, { remedy: remedy!, cause: error })
}

/** What became of a request, and what to do. */
function failureOf(
  { name, message }: Error,
  status: unknown,
  place: string,
): readonly [what: string, remedy: string] | undefined {
  if (status === 401) return [`${place} does not accept the credentials`, `Set ${credentials}.`]
  if (status === 403)
    return [
      `${place} does not allow this user to do that`,
      `Give the user the rights to this index, or set the credentials of another one: ${credentials}.`,
    ]
  if (name === 'ConnectionError' && /certificate/.test(message))
    return [
      `The certificate of ${place} is not trusted`,
      'Set NODE_EXTRA_CA_CERTS to a file with the certificate (PEM) of the authority that signed it.',
    ]
  if (name === 'ConnectionError' || name === 'NoLivingConnectionsError')
    return [`${place} cannot be reached`, 'Check that it is running, and that the URL is right.']
  if (status === 404)
    return [`${place} answered 404`, 'Check the name of the index, and the path in the URL.']
  if (typeof status !== 'number') return undefined
  return [`${place} answered ${status}`, 'Look at the cause, and at the log of the cluster.']
}

/** Another engine than the one that was named answers. @param answers absent if it is not known */
export function wrongEngine(
  { engine, url }: ReachedEngine,
  answers: EngineKind | undefined,
  cause?: unknown,
): QuerentError {
  const place = withoutCredentials(url)
  const other = answers ?? (engine === 'elasticsearch' ? 'opensearch' : 'elasticsearch')
  const [what, remedy] =
    answers === undefined
      ? [
          `The server at ${place} is not ${engineNames[engine]}`,
          `If it is ${engineNames[other]}, name the engine ${other}`,
        ]
      : [`${engineNames[other]} answers at ${place}, not ${engineNames[engine]}`, `Name the engine ${other}`]
  return new QuerentError('bad-config', what, {
    remedy: `${remedy}: --engine ${other}.`,
    ...(cause !== undefined && { cause }),
  })
}

const withoutCredentials = (url: string | readonly string[]): string =>
  [url]
    .flat()
    .map((one) => {
      const { origin, pathname } = new URL(one)
      return `${origin}${pathname === '/' ? '' : pathname}`
    })
    .join(', ')
