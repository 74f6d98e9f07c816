/** Thirty ways in which what stands between an application and its engine goes wrong. */
import { isObject, type JsonObject } from '../../../adapters/apps/drop-in/parse/json.ts'
import { type Exchange, type Fault, type Given, give, writeHead } from '../../support/fault-server.ts'

const json = ['content-type', 'application/json', 'x-elastic-product', 'Elasticsearch'] as const

/** Answers in place of the engine. */
const answering =
  (status: number, body: string, headers: readonly string[] = json): Fault =>
  ({ response }) =>
    give(response, { status, headers, body: Buffer.from(body) })

/** An error as the engines word it. */
const refusing = (status: number, type: string, headers: readonly string[] = []): Fault => {
  const error = { type, reason: `injected ${status}` }
  return answering(status, JSON.stringify({ error: { root_cause: [error], ...error }, status }), [
    ...json,
    ...headers,
  ])
}

/** The engine's own answer, changed. */
const changing =
  (change: (given: Given) => Given): Fault =>
  async ({ request, engine, response }) =>
    give(response, change(await engine(request)))

/** The same, read; an answer to several searches, all of them. */
const changingJson = (
  one: (answer: JsonObject) => JsonObject,
  all: (answers: readonly JsonObject[]) => readonly JsonObject[],
): Fault =>
  changing((given) => {
    const answer = JSON.parse(given.body.toString()) as JsonObject
    const responses = answer.responses as readonly JsonObject[] | undefined
    const changed = responses === undefined ? one(answer) : { ...answer, responses: all(responses) }
    return { ...given, body: Buffer.from(JSON.stringify(changed)) }
  })

/** Each search that is answered. */
const changingSearches = (change: (answer: JsonObject) => JsonObject): Fault =>
  changingJson(change, (answers) => answers.map(change))

/** What only an `_msearch` has. */
const changingResponses = (change: (answers: readonly JsonObject[]) => readonly JsonObject[]): Fault =>
  changingJson((answer) => answer, change)

const changingHits = (change: (hits: readonly JsonObject[]) => readonly JsonObject[]): Fault =>
  changingSearches((answer) => {
    if (!isObject(answer.hits)) return answer
    return { ...answer, hits: { ...answer.hits, hits: change(answer.hits.hits as JsonObject[]) } }
  })

/** The head and a half of the engine's own answer; what comes then is `end`. */
const halfway =
  (end: (response: Exchange['response']) => void): Fault =>
  async ({ request, engine, response }) => {
    const given = await engine(request)
    writeHead(response, given)
    response.write(given.body.subarray(0, given.body.length / 2), () => end(response))
  }

const withType = (headers: readonly string[], type: string): string[] =>
  headers.map((value, place) => (headers[place - 1]?.toLowerCase() === 'content-type' ? type : value))

const failedItem = {
  error: {
    root_cause: [{ type: 'illegal_state_exception', reason: 'injected' }],
    type: 'search_phase_execution_exception',
    reason: 'all shards failed',
    phase: 'query',
  },
  status: 500,
}

const shardFailure = { shard: 0, index: 'works', reason: { type: 'io_exception', reason: 'injected' } }
const page = '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>'

/** Bytes that Elasticsearch's clients take at the most here. OpenSearch's takes all that a text can hold. */
export const maxBytes = 200_000
/** More than the proxy holds. */
export const tooManyForProxy = 65 * 1024 * 1024

/** Its length is not told before: version 8 of Elasticsearch's client ends the process where that is too much. */
export const oversized =
  (bytes: number): Fault =>
  async ({ request, engine, response }) => {
    const { status, headers, body } = await engine(request)
    response.writeHead(status, [...headers])
    response.write(body)
    response.end(Buffer.alloc(bytes, ' '))
  }

/** Those that happen to an exchange; the other three are of the connection: see `faults.test.ts`. */
export const faults = {
  'reset mid-body': halfway((response) => void response.socket?.resetAndDestroy()),
  'slow headers': () => {},
  'slow body': halfway(() => {}),
  '400': refusing(400, 'parsing_exception'),
  '401': refusing(401, 'security_exception', ['www-authenticate', 'Basic realm="security"']),
  '403': refusing(403, 'security_exception'),
  '404': refusing(404, 'index_not_found_exception'),
  '413': refusing(413, 'content_too_long_exception'),
  '429': refusing(429, 'es_rejected_execution_exception'),
  '500': refusing(500, 'illegal_state_exception'),
  '502': refusing(502, 'bad_gateway'),
  '503': refusing(503, 'cluster_block_exception'),
  '504': refusing(504, 'gateway_timeout'),
  'malformed JSON': changing((given) => ({
    ...given,
    body: Buffer.from(given.body.toString().replace('"hits":{', '"hits":{{')),
  })),
  // The lines of an `_msearch` are the NDJSON of this protocol: the engine gets two thirds of them.
  'truncated NDJSON': async ({ request, engine, response }) => {
    const { body } = request
    give(response, await engine({ ...request, body: body.subarray(0, (body.length * 2) / 3) }))
  },
  'HTML error page': answering(502, page, ['content-type', 'text/html']),
  'wrong number of msearch responses': changingResponses((answers) => answers.slice(1)),
  'one failed item': changingResponses(([, ...others]) => [failedItem, ...others]),
  'all failed': changingResponses((answers) => answers.map(() => failedItem)),
  'shard failures': changingSearches((answer) => ({
    ...answer,
    _shards: { total: 2, successful: 1, skipped: 0, failed: 1, failures: [shardFailure] },
  })),
  timed_out: changingSearches((answer) => ({ ...answer, timed_out: true })),
  'empty body': answering(200, ''),
  'wrong content type': changing((given) => ({ ...given, headers: withType(given.headers, 'text/plain') })),
  'oversized body': oversized(maxBytes),
  'duplicate ids': changingHits((hits) => hits.flatMap((hit) => [hit, hit])),
  'null scores': changingHits((hits) => hits.map((hit) => ({ ...hit, _score: null }))),
  redirect: answering(302, '', ['location', 'http://127.0.0.1:9/elsewhere', 'content-type', 'text/html']),
} as const satisfies Readonly<Record<string, Fault>>

export type FaultName = keyof typeof faults

export const faultNames = Object.keys(faults) as FaultName[]

/** Those in which an answer does not come. */
export const isSlow = (name: FaultName): boolean => name.startsWith('slow')
