/** Errors as HTTP answers: problem documents (RFC 9457) with Querent's code and a remedy. */
import { type ErrorCode, errorTable, isQuerentError, type QuerentError } from '../../../src/errors.ts'
import { jsonResponse } from './json-response.ts'

/** A wrong part of the request: in the body a JSON pointer, in the URL the name of the parameter. */
export type WrongPart = { readonly detail: string } & (
  | { readonly pointer: string }
  | { readonly parameter: string }
)

/** The body of an error answer, of the type `application/problem+json`. */
export interface Problem {
  /** `urn:problem-type:querent:`, followed by the code. */
  readonly type: string
  /** The meaning of the code. */
  readonly title: string
  readonly status: number
  /** What happened this time. Never the message of a backend's error, which may contain addresses and credentials. */
  readonly detail: string
  /** A code of `problemTable` (such as `backend-failed`), or of a `QuerentError`. */
  readonly code: string
  readonly remedy: string
  readonly errors?: readonly WrongPart[]
  /** Seconds, as in the header `retry-after`. */
  readonly retryAfter?: number
}

/** The problems of requests that fail before the search starts, and of backends' own errors. */
export const problemTable = {
  'bad-request': {
    status: 400,
    title: 'The request is wrong.',
    remedy: 'Correct the places that are named.',
  },
  'wrong-host': {
    status: 403,
    title: 'The server is not for this host.',
    remedy: 'Use a name of this machine, or allow the host: --set hosts, in code `hosts`.',
  },
  'cross-site': {
    status: 403,
    title: 'The server is not for pages of other sites.',
    remedy: 'Allow the origin of the page: --cors, in code `cors` or `origins`.',
  },
  'wrong-token': {
    status: 403,
    title: 'The page is for those who know its token.',
    remedy: 'Open it with `?token=` and the token at the end of the address.',
  },
  'not-found': { status: 404, title: 'There is nothing at this path.', remedy: 'Check the path.' },
  'wrong-method': {
    status: 405,
    title: 'This path does not take this method.',
    remedy: 'Use a method that the header `allow` lists.',
  },
  'too-large': { status: 413, title: 'The body is too large.', remedy: 'Send a shorter query or history.' },
  'wrong-type': {
    status: 415,
    title: 'The body is of a type that is not read.',
    remedy: 'Send plain JSON with `content-type: application/json`.',
  },
  'setup-failed': {
    status: 500,
    title: 'The application could not set the search up.',
    remedy: 'See the log of the application: it was told the error.',
  },
  'not-implemented': {
    status: 501,
    title: 'The server does not know this method.',
    remedy: 'Use GET or POST.',
  },
  'backend-failed': {
    status: 502,
    title: 'A search backend failed.',
    remedy: "See the log of the application: it was told the backend's own error.",
  },
} as const satisfies Record<string, { status: number; title: string; remedy: string }>

/** The status of Querent's errors that end a search. All others are 500: the setup of the application is wrong. */
const statuses: Readonly<Partial<Record<ErrorCode, number>>> = {
  'bad-list': 502,
  'embed-failed': 502,
  'retriever-failed': 502,
  aborted: 503,
  overloaded: 503,
  'rate-limited': 503,
  unavailable: 503,
  deadline: 504,
}

/** Errors with messages that contain only Querent's own text. */
const plain: ReadonlySet<ErrorCode> = new Set(['aborted', 'overloaded', 'unavailable', 'deadline'])

/** A problem of the request. */
export function problem(
  code: keyof typeof problemTable,
  detail: string,
  errors?: readonly WrongPart[],
): Problem {
  const { status, title, remedy } = problemTable[code]
  return { type: typeOf(code), title, status, detail, code, remedy, ...(errors && { errors }) }
}

/**
 * The problem of an error that ended a search.
 *
 * @param filtered whether the request has a filter. If a retriever or a backend then rejects the request, the filter is to blame.
 */
export function problemOfError(error: Error, filtered: boolean): Problem {
  // An unknown code comes from another version of Querent.
  if (!isQuerentError(error) || !Object.hasOwn(errorTable, error.code))
    return filtered && statusOf(error) === 400
      ? wrongFilter('The search backend refused the filter')
      : problem('backend-failed', `A search backend failed${kindOf(error)}`)
  return filtered && error.code === 'bad-config' ? wrongFilter(error.what, error.remedy) : ownProblem(error)
}

/** @param remedy the retriever's own. The usual one speaks of options, which a client does not have. */
function wrongFilter(detail: string, remedy?: string): Problem {
  const isOwn = remedy !== undefined && remedy !== errorTable['bad-config'].remedy
  return { ...problem('bad-request', detail, [{ pointer: '#/filter', detail }]), ...(isOwn && { remedy }) }
}

function ownProblem({ code, what, remedy, retryAfter = 0 }: QuerentError): Problem {
  const status = statuses[code] ?? 500
  const { meaning: title, remedy: usual } = errorTable[code]
  const words = plain.has(code) ? { detail: what, remedy } : { detail: title, remedy: usual }
  const own = { type: typeOf(code), title, status, code, ...words }
  return status === 503 ? { ...own, retryAfter: Math.max(1, Math.ceil(retryAfter / 1000)) } : own
}

/** The problem as an HTTP answer. */
export function problemResponse(body: Problem, headers: Readonly<Record<string, string>> = {}): Response {
  const { status, retryAfter } = body
  const later = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  const type = { 'content-type': 'application/problem+json' }
  return jsonResponse(body, { status, headers: { ...type, ...later, ...headers } })
}

const typeOf = (code: string): string => `urn:problem-type:querent:${code}`

/** The class and the status of a backend's error. Neither contains secrets. */
function kindOf(error: Error): string {
  const status = statusOf(error)
  return ` (${error.name}${status === undefined ? '' : `, status ${status}`})`
}

/** The status that the engines' clients store in their errors. */
function statusOf(error: Error): number | undefined {
  const status: unknown = Reflect.get(error, 'statusCode')
  return typeof status === 'number' ? status : undefined
}
