/**
 * A reverse proxy before an engine: searches are optimized, and everything else passes through byte for byte. Any client
 * in any language has its searches optimized by talking to this address in place of the engine’s.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { z } from 'zod'
import { systemClock } from '../../../src/clock.ts'
import { count, milliseconds, parseConfig } from '../../../src/config.ts'
import { toError } from '../../../src/errors.ts'
import { closeServer, listen } from '../node-server.ts'
import { passedThrough } from '../request/explanation.ts'
import { createMemory } from '../request/remembered-chat.ts'
import { type AppOptions, appSettings, type SearchSettings } from '../request/settings.ts'
import { AnswerTooLong, type ProxyAnswer } from './ask.ts'
import { forward, hasBody, writeHead } from './forward.ts'
import { headerOf, type RawHeaders } from './headers.ts'
import { health } from './health.ts'
import { mostBody, optimize } from './optimize.ts'
import { readBody } from './read-body.ts'
import { routeOf } from './route.ts'
import { NotSigned } from './sign.ts'
import { openTarget, type TargetOptions } from './target.ts'

export interface ProxyOptions extends AppOptions, TargetOptions {
  /** Searches that are optimized at a time: more pass through unchanged. Default: 128. */
  readonly concurrency?: number | undefined
  /** Requests at a time: more are refused with 503 and `retry-after`. Default: 2048. */
  readonly most?: number | undefined
  /** Milliseconds that requests under way have to end when the proxy is closed. Default: 10,000. */
  readonly grace?: number | undefined
}

export interface Proxy {
  /** Takes connections. Port 0 is any that is free. @returns the address */
  listen(port: number, host?: string): Promise<string>
  /** Lets requests under way end, within the grace, and takes no more. */
  close(): Promise<void>
}

const schema = z.object({
  concurrency: count.default(128),
  most: count.default(2048),
  grace: milliseconds.default(10_000),
})

/**
 * @throws QuerentError `bad-config` that names the wrong option; `missing-file`, `bad-policy` for the policy;
 *   `missing-package` for `sign`
 */
export async function createProxy(options: ProxyOptions): Promise<Proxy> {
  const {
    target: at,
    ca,
    rejectUnauthorized,
    connections,
    connectTimeout,
    sign,
    concurrency,
    most,
    grace,
    ...app
  } = options
  const limits = parseConfig(schema, { concurrency, most, grace }, 'proxy')
  const target = await openTarget({ target: at, ca, rejectUnauthorized, connections, connectTimeout, sign })
  const settings: SearchSettings = await appSettings(app, 'proxy')()
  const search = { target, settings, memory: createMemory() }
  let running = 0
  let optimizing = 0
  let isClosing = false

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const own = health(request, target)
    if (own !== undefined) return write(response, await own)
    // Words that are told beside a search have to be put in, whatever the policy.
    const isTold = headerOf(request.rawHeaders, 'x-querent-query') !== undefined
    const route = settings.isNone && !isTold ? undefined : routeOf(request, target.signs)
    if (route === undefined || !hasBody(request)) return pass(hasBody(request) ? request : null)
    if ('reason' in route) return pass(request, route.reason)
    if (optimizing >= limits.concurrency && !isTold)
      return pass(request, 'too many searches are being optimized')
    optimizing++
    const gone = new AbortController()
    const onClose = (): void => gone.abort(new Error('The caller is gone'))
    response.on('close', onClose)
    try {
      const body = await readBody(request, mostBody)
      if (!Buffer.isBuffer(body)) return await pass(body, `its body is longer than ${mostBody} bytes`)
      const result = await optimize(search, route, request, body, gone.signal).catch(streamed)
      if (!('bytes' in result)) return await pass(body, result.reason)
      write(response, result, explained(request, result.said))
    } catch (error) {
      if (!gone.signal.aborted) badGateway(toError(error))
    } finally {
      optimizing--
      response.off('close', onClose)
    }

    function pass(
      body: IncomingMessage | Buffer | Parameters<typeof forward>[3],
      reason?: string,
    ): Promise<void> {
      const more = reason === undefined ? [] : explained(request, passedThrough(reason))
      return forward(target, request, response, body, badGateway, more)
    }

    /** What is too long to be held is asked for again, as it was written. */
    function streamed(error: unknown): { readonly reason: string } {
      if (isTold || !(error instanceof AnswerTooLong)) throw error
      return { reason: error.message }
    }

    /** A connection that the caller would not have had either. */
    function badGateway(error: Error): void {
      if (response.headersSent) return void response.destroy(error)
      const reason = `${target.origin} cannot be reached: ${error.message}`
      write(
        response,
        error instanceof NotSigned
          ? failure(error.status, 'querent_not_signed', error.message)
          : failure(502, 'querent_bad_gateway', reason),
      )
    }
  }

  const server: Server = createServer(
    { keepAliveTimeout: 75_000, requestTimeout: 0 },
    (request, response) => {
      if (running >= limits.most) {
        write(response, failure(503, 'querent_overloaded', `${limits.most} requests are under way`), [
          'retry-after',
          '1',
        ])
        return
      }
      running++
      request.on('error', () => {})
      response.on('error', () => {})
      // A connection that is kept open for more would hold up the end.
      response.on('close', () => isClosing && server.closeIdleConnections())
      answer(request, response).then(
        () => running--,
        (error: unknown) => {
          running--
          response.destroy(toError(error))
        },
      )
    },
  )

  return {
    listen: (port, host = '127.0.0.1') => listen(server, host, port),
    async close() {
      isClosing = true
      await closeServer(server, { grace: limits.grace, clock: systemClock })
      await target.pool.destroy()
    },
  }
}

/**
 * What became of a search, in a header, where the caller asks; who asks for the header alone gets the body that it would
 * have got without asking. Header values are of ASCII.
 */
function explained({ rawHeaders }: IncomingMessage, what: string): RawHeaders {
  if (!['true', 'header'].includes(headerOf(rawHeaders, 'x-querent-explain') ?? '')) return []
  return ['x-querent', what.replaceAll('’', "'").replace(/[^ -~]/g, '?')]
}

function write(
  response: ServerResponse,
  { status, message, headers, bytes }: ProxyAnswer,
  more: RawHeaders = [],
): void {
  if (response.destroyed) return
  writeHead(response, status, message, [...headers, ...more])
  response.end(bytes)
}

/** An error of the proxy’s own, in the engines’ shape. */
function failure(status: number, type: string, reason: string): ProxyAnswer {
  const error = { type, reason }
  const bytes = Buffer.from(JSON.stringify({ error: { root_cause: [error], ...error }, status }))
  const headers = ['content-type', 'application/json', 'content-length', String(bytes.length)]
  return { status, message: '', headers, bytes }
}
