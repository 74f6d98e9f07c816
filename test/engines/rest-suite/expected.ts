/** What a test expects of a call beside its answer: that it fails, and what it warns of. */
import { isObject, type JsonObject, listOf } from '../../../adapters/apps/drop-in/parse/json.ts'
import { calledIn } from './call.ts'
import type { Answer } from './client.ts'
import { patternIn, printed } from './pattern.ts'

/** What the suite calls a status. */
const statuses: Readonly<Record<string, (status: number) => boolean>> = {
  bad_request: (status) => status === 400,
  unauthorized: (status) => status === 401,
  forbidden: (status) => status === 403,
  missing: (status) => status === 404,
  request_timeout: (status) => status === 408,
  conflict: (status) => status === 409,
  unavailable: (status) => status === 503,
  request: (status) => status >= 400 && ![400, 401, 403, 404, 408, 409].includes(status),
}

/** @throws Error where the answer is not what the step expects */
export function checkCall(answer: Answer, step: JsonObject): void {
  const [, given] = calledIn(step)
  const ignored = isObject(given) ? listOf(given.ignore ?? []).map(String) : []
  checkStatus(answer, step.catch, ignored)
  if (answer.status < 400) checkWarnings(answer.warnings, step)
}

/** @throws Error where the status is not the expected one */
function checkStatus(
  { method, status, text, parsed }: Answer,
  expected: unknown,
  ignored: readonly string[],
): void {
  const isError = status >= 400 && !(method === 'HEAD' && status === 404) && !ignored.includes(String(status))
  const said = `the status is ${status}: ${text.slice(0, 300)}`
  if (expected === undefined) {
    if (isError) throw new Error(said)
    return
  }
  const named = statuses[String(expected)]
  if (!isError || (named !== undefined && !named(status)))
    throw new Error(`Not ${String(expected)}, but ${said}`)
  if (named !== undefined) return
  const pattern = patternIn(String(expected), { isSpaced: false })
  if (pattern === undefined) throw new Error(`A catch of ${String(expected)} is not known`)
  const error = isObject(parsed) ? parsed.error : undefined
  if (error === undefined || !pattern.test(printed(error)))
    throw new Error(`Not ${String(expected)}, but ${said}`)
}

/** @throws Error for a warning that is not expected, and for one that is and did not come */
function checkWarnings(headers: readonly string[], step: JsonObject): void {
  const came = headers
    .map((header) => (/^299 \S+ "((?:[^"\\]|\\.)*)"/.exec(header)?.[1] ?? header).replace(/\\(.)/g, '$1'))
    .filter((warning) => !warning.startsWith('[types removal]'))
  const expected = listOf(step.warnings ?? []).map(String)
  const allowed = listOf(step.allowed_warnings ?? []).map(String)
  const foreign = came.filter((warning) => !expected.includes(warning) && !allowed.includes(warning))
  const missing = expected.filter((warning) => !came.includes(warning))
  if (foreign.length > 0) throw new Error(`Warned of ${foreign.join('; ')}`)
  if (missing.length > 0) throw new Error(`Not warned of ${missing.join('; ')}`)
}
