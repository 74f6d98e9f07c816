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

/** The error of a request to an engine, with the address and a remedy. One that is not an answer of it stays unchanged. */
export function engineError(thrown: unknown, reached: ReachedEngine): Error {
  const error = toError(thrown)
  if (isQuerentError(error)) return error
  const { statusCode } = error as { readonly statusCode?: unknown }
  const place = `${engineNames[reached.engine]} at ${withoutCredentials(reached.url)}`
  const failed = (what: string, remedy: string): QuerentError =>
    new QuerentError('retriever-failed', what, { remedy, cause: error })

  if (error.name === 'ProductNotSupportedError') return wrongEngine(reached, undefined, error)
  if (statusCode === 401) return failed(`${place} does not accept the credentials`, `Set ${credentials}.`)
  if (statusCode === 403)
    return failed(
      `${place} does not allow this user to do that`,
      `Give the user the rights to this index, or set the credentials of another one: ${credentials}.`,
    )
  if (error.name === 'ConnectionError' && /certificate/.test(error.message))
    return failed(
      `The certificate of ${place} is not trusted`,
      'Set NODE_EXTRA_CA_CERTS to a file with the certificate (PEM) of the authority that signed it.',
    )
  if (error.name === 'ConnectionError' || error.name === 'NoLivingConnectionsError')
    return failed(`${place} cannot be reached`, 'Check that it is running, and that the URL is right.')
  if (statusCode === 404)
    return failed(`${place} answered 404`, 'Check the name of the index, and the path in the URL.')
  if (typeof statusCode === 'number')
    return failed(`${place} answered ${statusCode}`, 'Look at the cause, and at the log of the cluster.')
  return error
}

/** Another engine than the one that was named answers. @param answers absent if it is not known */
export function wrongEngine(
  { engine, url }: ReachedEngine,
  answers: EngineKind | undefined,
  cause?: unknown,
): QuerentError {
  const other = engine === 'elasticsearch' ? 'opensearch' : 'elasticsearch'
  const place = withoutCredentials(url)
  return new QuerentError(
    'bad-config',
    answers === undefined
      ? `The server at ${place} is not ${engineNames[engine]}`
      : `${engineNames[answers]} answers at ${place}, not ${engineNames[engine]}`,
    {
      remedy:
        answers === undefined
          ? `If it is ${engineNames[other]}, name the engine ${other}: --engine ${other}.`
          : `Name the engine ${answers}: --engine ${answers}.`,
      ...(cause !== undefined && { cause }),
    },
  )
}

function withoutCredentials(url: string | readonly string[]): string {
  const shown = [url].flat().map((one) => {
    const { origin, pathname } = new URL(one)
    return `${origin}${pathname === '/' ? '' : pathname}`
  })
  return shown.join(', ')
}
