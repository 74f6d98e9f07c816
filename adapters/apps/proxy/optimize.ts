/** Understands a search, optimizes it, and answers as the engine would. Or says why the proxy passes it through. */

import type { IncomingMessage } from 'node:http'
import { passedThrough, reportSearch, said } from '../../../src/observe.ts'
import type { Propagation } from '../../../src/propagation.ts'
import type { Cache } from '../../cache/cache.ts'
import { requestError } from '../drop-in/answer/engine-answer.ts'
import { outcomeOf, outcomeOfAll } from '../drop-in/answer/outcome.ts'
import { isObject, type JsonObject } from '../drop-in/parse/json.ts'
import { isOn } from '../drop-in/parse/parameters.ts'
import { hasPlaceholder } from '../drop-in/parse/placeholders.ts'
import { answerRequest, type Passing } from '../drop-in/run/answer-request.ts'
import { pairsOf, pathOfLegs, type RequestEngine, type SearchItem } from '../drop-in/run/caller-engine.ts'
import type { SearchSettings } from '../drop-in/run/settings.ts'
import { forwarded, headerOf, identityOf, replaced } from './headers.ts'
import { parseRequest, toJson } from './json.ts'
import { failure } from './own-answer.ts'
import { type QuerentHeaders, readQuerentHeaders } from './querent-headers.ts'
import { decoded, utf8 } from './read-body.ts'
import type { Route } from './route.ts'
import { headersWithout, type ProxyAnswer, readAnswer, type SendRequest, sendRequest } from './send.ts'
import type { Target } from './target.ts'

export interface ProxySearch {
  readonly target: Target
  readonly settings: SearchSettings
  readonly memory: Cache
  readonly propagate: Propagation | undefined
}

/** Maximum size of a search body after decompression. The proxy passes a larger request through. */
export const maxBodyBytes = 256 * 1024

/**
 * @returns the answer and the outcome of the search, or the reason to pass the request through, in which case nothing has been
 *   sent
 * @throws the connection's own error; the signal's reason; AnswerTooLong
 */
export async function optimize(
  { target, settings, memory, propagate }: ProxySearch,
  route: Route,
  request: IncomingMessage,
  bytes: Buffer,
  signal: AbortSignal,
): Promise<(ProxyAnswer & { readonly said: string }) | Pick<Passing, 'reason' | 'onAnswered'>> {
  const { rawHeaders } = request
  const wishes = readQuerentHeaders(rawHeaders, settings.explain)
  const text = await decoded(bytes, headerOf(rawHeaders, 'content-encoding'), maxBodyBytes).catch(
    () => undefined,
  )
  if (text === undefined) return { reason: 'its body cannot be decoded' }

  const { kind, parameters, index, path } = route
  const base = headersWithout(rawHeaders)
  // A target may allow GET alone. A caller that sends a body with it knows that the body arrives, and so does ours.
  const method = bytes.length === 0 ? 'POST' : request.method!
  /** Sends a request as part of the trace that is being made, if one is. */
  const sent = ({ headers, ...what }: SendRequest, until: AbortSignal): Promise<ProxyAnswer> =>
    sendRequest(target, { ...what, headers: replaced(headers, propagate?.send() ?? {}) }, until)
  function send(path: string, body: string, isLines: boolean, until: AbortSignal): Promise<ProxyAnswer> {
    const headers = [...base, 'content-type', typeOf(rawHeaders, isLines)]
    return sent({ method, path, headers, body }, until)
  }
  /** The caller's request with these searches in it. */
  function sendItems(items: readonly SearchItem[], until: AbortSignal): Promise<ProxyAnswer> {
    if (kind === 'msearch') return send(request.url!, linesOf(items), true, until)
    const { body, url = {} } = items[0]!
    return send(`${path}/_search${queryOf(url)}`, toJson(body), false, until)
  }

  const engine: RequestEngine = {
    async send(items, { signal: until }) {
      if (items === undefined) {
        const own = {
          method: request.method!,
          path: request.url!,
          headers: forwarded(rawHeaders),
          body: bytes,
        }
        return readAnswer(await sent(own, until))
      }
      const answer = await readAnswer(await sendItems(items, until))
      // What forbids the method refuses the change, as an engine does with 400.
      const isRefused = method !== request.method && [403, 405].includes(answer.status)
      return isRefused ? { ...answer, status: 400 } : answer
    },
    async msearch(legs, { signal: until, url }) {
      const at = `${pathOfLegs(path, legs)}${queryOf(url)}`
      const answer = await readAnswer(await send(at, linesOf(legs), true, until))
      if (answer.status >= 400) throw requestError(answer)
      return isObject(answer.body) ? answer.body.responses : undefined
    },
    async fieldCaps({ path: at, url }, { signal: until }) {
      const asked = { method: 'GET', path: `${at}${queryOf(url)}`, headers: base, body: '' }
      return readAnswer(await sent(asked, until))
    },
  }

  const items = tried(() => itemsOf(kind, utf8(text)))
  if (items === undefined) return { reason: 'its lines cannot be read' }
  if (wishes.unreadable.includes('x-querent-query') && items.some(({ body }) => hasPlaceholder(body)))
    return unreadableQuery()
  const opaqueId = headerOf(rawHeaders, 'x-opaque-id')
  const answered = await answerRequest({ kind, index, parameters, items, query: wishes.query }, engine, {
    settings,
    memory,
    identity: identityOf(target.headersFor(rawHeaders), settings.identity),
    history: wishes.history,
    leftOut: wishes.leftOut,
    explains: wishes.explains,
    signal,
    opaqueId,
    header: (name) => headerOf(rawHeaders, name),
    reason: whyPassed(wishes),
  })
  if ('reason' in answered) {
    if (answered.items === undefined) return answered
    const outcome = passedThrough(answered.reason)
    reportSearch(settings.observe, { outcome, index, opaqueId })
    const own = await sendItems(answered.items, signal).finally(answered.onAnswered)
    return { ...own, said: said(outcome) }
  }
  const outcomes = answered.optimized.map((one) =>
    'reason' in one ? passedThrough(one.reason) : outcomeOf(one),
  )
  return {
    said: said(kind === 'search' ? outcomes[0]! : outcomeOfAll(outcomes)),
    ...answerOf(answered, isOn(parameters.pretty)),
  }
}

/** Why a search passes through before its body is looked at. */
function whyPassed({ optimizes, unreadable }: QuerentHeaders): string | undefined {
  if (!optimizes) return 'the caller said so'
  return unreadable.length === 0
    ? undefined
    : `its ${unreadable.map((name) => `\`${name}\``).join(' and ')} cannot be read`
}

/** The engine would search for `{{query}}` itself: only the caller can say which words were meant. */
const unreadableQuery = (): ProxyAnswer & { readonly said: string } => ({
  ...failure(
    400,
    'querent_bad_request',
    'The header x-querent-query cannot be read: percent-encode the words, as encodeURIComponent does',
  ),
  said: 'failed: its `x-querent-query` cannot be read',
})

/** The engine's own bytes, or a new body under the engine's head. */
function answerOf(
  { own, body }: { readonly own: unknown; readonly body?: JsonObject },
  pretty: boolean,
): ProxyAnswer {
  const answer = own as ProxyAnswer
  if (body === undefined) return answer
  const bytes = Buffer.from(toJson(body, pretty ? 2 : 0))
  const headers = forwarded(answer.headers, 'content-length', 'content-encoding')
  return { ...answer, headers: [...headers, 'content-length', String(bytes.length)], bytes }
}

export const linesOf = (items: readonly { readonly header: JsonObject; readonly body: unknown }[]): string =>
  items.map(({ header, body }) => `${toJson(header)}\n${toJson(body)}\n`).join('')

/**
 * The searches of a request. A body that is not JSON is undefined in a `_search`; the lines of an `_msearch` are read in turn, without
 * empty ones at the end. `undefined` if the last line has no line break: the engines refuse that.
 *
 * @throws SyntaxError if a line is not JSON
 */
function itemsOf(kind: Route['kind'], text: string): readonly SearchItem[] | undefined {
  if (kind === 'search') return [{ header: {}, body: tried(() => parseRequest(text)) }]
  if (!text.endsWith('\n')) return undefined
  const lines = text.split(/\r?\n/)
  while (lines.at(-1)?.trim() === '') lines.pop()
  return pairsOf(lines, (line, isHeader) =>
    isHeader && String(line).trim() === '' ? {} : parseRequest(String(line)),
  )
}

function tried<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function queryOf(parameters: JsonObject): string {
  const query = new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  return query === '' ? '' : `?${query}`
}

/** The caller's media type, with its vendor and version, for one body or for lines. */
function typeOf(headers: readonly string[], isLines: boolean): string {
  const type = headerOf(headers, 'content-type') ?? 'application/json'
  return type.replace(/(x-nd)?json/i, isLines ? 'x-ndjson' : 'json')
}
