/** Who a caller is, as far as the engine can tell. The proxy and the wrapped clients keep under it whatever they remember. */
import { randomUUID } from 'node:crypto'
import { callSafely } from '../../../../src/runtime/call-safely.ts'
import { isObject, type JsonObject, namesIn } from '../parse/json.ts'

/**
 * Headers that identify nobody: those of the message, and those that load balancers and tracers give each request. All others
 * count: a name that is missing here costs time, and one that should not be here would let two callers share.
 */
const passing = new Set(
  namesIn(`
    accept accept-encoding accept-language cache-control content-encoding content-length content-type date
    pragma user-agent x-opaque-id x-elastic-client-meta x-amz-content-sha256 x-amz-date x-amz-security-token
    x-amz-cf-id cf-ray x-vercel-id b3 baggage grpc-trace-bin grpc-tags-bin newrelic x-azure-ref x-arr-log-id
    x-queue-start x-unique-id x-varnish x-timer`),
)
const passingFrom =
  /^(?:x-b3|x-datadog|uberctx|x-newrelic|ot-tracer|ot-baggage|x-instana|x-envoy|pinpoint|sw8)(?:-|$)/
const passingTo =
  /(?:^|-)(?:(?:trace|span|req|request|correlation|transaction)-?id|(?:trace|span|correlation)-?context|trace(?:parent|state|response)?|request-start)$/

/**
 * Identifies the caller by every header that may do so, whatever their order, and by what the application says. If `identity` fails,
 * nobody shares anything with this search, not even the caller's next one.
 */
export function identityOf(
  headers: Iterable<readonly [name: string, value: unknown]>,
  identity?: () => string,
): string {
  const pairs = Array.from(headers, ([name, value]) => [name.toLowerCase(), signerOf(String(value))] as const)
  const kept = pairs.filter(([one]) => !passing.has(one) && !passingFrom.test(one) && !passingTo.test(one))
  let said: unknown
  if (identity !== undefined) callSafely(() => (said = identity()), undefined)
  const isSaid = identity === undefined || typeof said === 'string'
  // The lines of one header keep their order.
  kept.sort(([one], [other]) => Number(one > other) - Number(one < other))
  return JSON.stringify([kept, isSaid ? said : { nobody: randomUUID() }])
}

/** The `x-opaque-id` of a client's request, which has an option for it, too. */
export function opaqueIdOf({ opaqueId, headers }: JsonObject): string | undefined {
  const id = opaqueId ?? headerIn(headers, 'x-opaque-id')
  return typeof id === 'string' ? id : undefined
}

/** The value of a header of a client's request, by its name in lower case. */
export const headerIn = (headers: unknown, name: string): unknown =>
  Object.entries(isObject(headers) ? headers : {}).find(([one]) => one.toLowerCase() === name)?.[1]

/** Of an AWS signature the access key, since the rest differs in each request. Of all else the value. */
const signerOf = (value: string): string => /^AWS4-\S+ +Credential=[^/]+/.exec(value)?.[0] ?? value
