/**
 * A reverse proxy for an engine. It optimizes searches, and passes everything else through byte for byte. A client in any
 * language gets optimized searches if it uses this address instead of the engine's.
 *
 * @module querent/proxy
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { Registry } from 'prom-client'
import { z } from 'zod'
import { having, parseConfig } from '../../../src/config.ts'
import { QuerentError, toError } from '../../../src/errors.ts'
import { observeAll, passedThrough, reportSearch } from '../../../src/observe.ts'
import type { Propagation } from '../../../src/propagation.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { closeAll } from '../../../src/runtime/close-all.ts'
import { createCache } from '../../cache/cache.ts'
import { type AppOptions, appSettings, type SearchSettings } from '../drop-in/run/settings.ts'
import { dropUnread } from '../http/client-limits.ts'
import { type DoorOptions, doorShape } from '../http/guard.ts'
import { sendResponse, webResponse } from '../http/node-request.ts'
import { closeServer, guarding, listen } from '../http/node-server.ts'
import { headerOf } from './headers.ts'
import { createProxyMetrics, health } from './health.ts'
import { createInspect, type InspectOptions, inspectPath } from './inspect.ts'
import { closeWithConnection, type LimitOptions, limitsOf, onStalledBody, serverOptions } from './limits.ts'
import { explained, explainedPass, failure, failureOf, forbidden, write } from './own-answer.ts'
import { compressed, readBody } from './read-body.ts'
import { isByUrl, routeOf } from './route.ts'
import { AnswerTooLong, forward, hasBody } from './send.ts'
import { openTarget, type TargetOptions } from './target.ts'

export type { Propagation } from '../../../src/propagation.ts'
export type { DoorOptions, HostOptions } from '../http/guard.ts'
export type { InspectOptions } from './inspect.ts'
export type { SignCredentials, SignOptions } from './sign.ts'

export interface ProxyOptions extends AppOptions, TargetOptions, LimitOptions, DoorOptions {
  /**
   * Makes the requests of a search part of the caller's trace: `propagate` of `querent/opentelemetry`. Default: `traceparent`
   * goes on as the caller sent it.
   */
  readonly propagate?: Propagation | undefined
  /**
   * Answers `GET /_querent/metrics` in Prometheus format: `true`, or the registry of `prom-client` that gets the metrics.
   * Default: false.
   */
  readonly metrics?: Registry | boolean | undefined
  /**
   * Keeps the latest searches in memory, and shows them on a page at `/_querent/inspect`: `true`, or its options. The page has
   * the callers' words. By default, browsers reach it only under the names of this machine. Default: false.
   */
  readonly inspect?: InspectOptions | boolean | undefined
}

export interface Proxy {
  /** Starts to accept connections. With port 0, the system chooses a free port. @returns the address */
  listen(port: number, host?: string): Promise<string>
  /** Accepts no more requests, and lets those in flight end within `grace`. */
  close(): Promise<void>
}

/**
 * @throws QuerentError `bad-config` that names the wrong option; `missing-file`, `bad-policy` for the policy; `missing-package`
 *   for `sign`
 */
export async function createProxy(options: ProxyOptions): Promise<Proxy> {
  const { target: _target, ca, rejectUnauthorized, connections, connectTimeout, sign, ...others } = options
  const { propagate, metrics: into = false, inspect: inspecting = false, ...given } = others
  const { most, grace, headersTimeout, idleTimeout, hosts, cors, ...app } = given
  // Only a proxy that is made searches.
  const { maxBodyBytes, optimize } = await import('./optimize.ts')
  const limits = limitsOf(options)
  const doors = parseConfig(z.object(doorShape), options, 'proxy')
  if (propagate !== undefined)
    parseConfig(having<Propagation>('a propagation', 'receive', 'send'), propagate, 'proxy: propagate')
  const target = await openTarget(options)
  const metrics =
    into === false ? undefined : createProxyMetrics(into === true ? undefined : into, app.prices)
  const inspect =
    inspecting === false ? undefined : createInspect({ hosts, ...(inspecting === true ? {} : inspecting) })
  const isObserved = metrics !== undefined || inspect !== undefined
  const observe = isObserved ? observeAll(app.observe, metrics?.observe, inspect?.observe) : app.observe
  const settings: SearchSettings = await appSettings({ ...app, observe }, 'proxy')()
  metrics?.watch(settings)
  const search = { target, settings, memory: settings.cache ?? createCache(), propagate }
  const pages = inspect === undefined ? [] : [inspectPath]
  let running = 0
  let warming: Promise<void> = Promise.resolve()
  let isClosing = false

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { rawHeaders } = request
    // A query in the header must be put into the body, even without a policy.
    const hasQueryHeader = headerOf(rawHeaders, 'x-querent-query') !== undefined
    const route = settings.isNone && !hasQueryHeader ? undefined : routeOf(request, target.signs)
    const isBare = !hasBody(request)
    if (route === undefined || (isBare && !isByUrl(route))) return pass(request)
    if ('reason' in route) return pass(request, route.reason)
    const gone = new AbortController()
    const onClose = (): void => {
      if (!response.writableFinished) gone.abort(new QuerentError('aborted', 'The caller is gone'))
    }
    response.on('close', onClose)
    try {
      const body = await readBody(request, maxBodyBytes)
      if (!Buffer.isBuffer(body)) return await pass(body, `its body is longer than ${maxBodyBytes} bytes`)
      const run = () => optimize(search, route, request, body, gone.signal)
      const optimizing = propagate === undefined ? run() : propagate.receive(request.headers, run)
      const result = await optimizing.catch(tooLong)
      if (!('bytes' in result)) return await pass(body, result.reason).finally(result.onAnswered)
      const sent = await compressed(result, headerOf(rawHeaders, 'accept-encoding'))
      write(response, sent, explained(request, result.said))
      if (request.socket.writableLength > 0) dropUnread(response, { unreadTimeout: limits.idleTimeout })
    } catch (error) {
      if (!gone.signal.aborted) badGateway(toError(error))
    } finally {
      response.off('close', onClose)
    }

    /** An answer that is too long to hold is requested again, unchanged, and streamed. */
    function tooLong(error: unknown): { readonly reason: string; readonly onAnswered?: undefined } {
      if (hasQueryHeader || !(error instanceof AnswerTooLong)) throw error
      return { reason: error.message }
    }

    function pass(body: Readable | Buffer, reason?: string): Promise<void> {
      if (reason !== undefined)
        reportSearch(settings.observe, {
          outcome: passedThrough(reason),
          index: route && 'index' in route ? route.index : undefined,
          opaqueId: headerOf(rawHeaders, 'x-opaque-id'),
        })
      const more = explainedPass(request, reason)
      return forward(target, request, response, isBare ? null : body, limits.idleTimeout, badGateway, more)
    }

    /** Answers a failed connection to the target, which the caller would have had without the proxy too. */
    function badGateway(error: Error): void {
      if (response.headersSent) return void response.destroy(error)
      write(response, failureOf(error, target.origin))
    }
  }

  const server: Server = createServer(serverOptions(limits), (request, response) => {
    request.on('error', () => {})
    response.on('error', () => {})
    closeWithConnection(response)
    // Connections that the caller keeps open would delay the shutdown.
    response.on('close', () => isClosing && server.closeIdleConnections())
    onStalledBody(request, response, limits.idleTimeout, () => {
      if (response.headersSent) return void response.destroy()
      const reason = `No more of the body has come for ${limits.idleTimeout} ms`
      write(response, failure(408, 'querent_timeout', reason))
    })
    respond(request, response).catch((error: unknown) => response.destroy(toError(error)))
  })

  const refuse = guarding(server, doors, inspect && inspectPath)
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refused = refuse(request)
    if (refused !== undefined) return write(response, forbidden(refused))
    const page = inspect?.answer(request.url ?? '')
    if (page !== undefined) return sendResponse(await webResponse(page, request, response), response)
    // Comes before the limit: an orchestrator that restarts an overloaded proxy would make things worse.
    const own = health(request, { target, load: settings.load, metrics, pages, warming })
    if (own !== undefined) return write(response, await own)
    if (running >= limits.most) {
      const full = failure(503, 'querent_overloaded', `${limits.most} requests are under way`)
      return write(response, full, ['retry-after', '1'])
    }
    running++
    const closed = new Promise<void>((resolve) => response.once('close', resolve))
    void closed.then(() => metrics?.answered(response.statusCode))
    // An answer that is still being read holds its memory.
    await answer(request, response).finally(() => void closed.then(() => running--))
  }

  return {
    listen(port, host = '127.0.0.1') {
      // A policy that cannot run is each search's own failure.
      warming = import('../drop-in/run/warm-up.ts').then(({ warmUp }) => warmUp(settings)).catch(() => {})
      return listen(server, host, port)
    },
    async close() {
      isClosing = true
      await closeServer(server, { grace: limits.grace, clock: systemClock })
      await closeAll([settings.rollout, target, settings.policy])
    },
  }
}
