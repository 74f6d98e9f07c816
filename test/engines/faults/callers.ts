/** Who asks: an official client, bare or wrapped, or a plain HTTP caller at the engine's address or the proxy's. */
import { once } from 'node:events'
import { Agent, request as sendHttp } from 'node:http'
import { request as sendHttps } from 'node:https'
import { buffer } from 'node:stream/consumers'
import type { JsonObject } from '../../../adapters/apps/drop-in/parse/json.ts'
import type { AppOptions } from '../../../adapters/apps/drop-in/run/settings.ts'
import { headerOf } from '../../../adapters/apps/proxy/headers.ts'
import { createProxy } from '../../../adapters/apps/proxy/proxy.ts'
import { type SearchReport, said } from '../../../src/observe.ts'
import type { EngineKind } from '../../support/search-world.ts'
import { type Asking, type OfficialClient, officialClients } from '../official-clients.ts'
import { maxBytes } from './faults.ts'

/** A search, or several in an `_msearch`. */
export interface Asked {
  readonly index: string
  readonly bodies: readonly JsonObject[]
  readonly isMsearch: boolean
  /** Milliseconds after which the application ends it itself. Only OpenSearch's client needs that: its own time-out ends with the head. */
  readonly ends?: number | undefined
}

/** What an application has in the end. */
export type End =
  | { readonly status: number; readonly headers?: JsonObject; readonly body: unknown }
  | { readonly error: unknown; readonly status?: number; readonly body?: unknown }

export interface Caller {
  ask(asked: Asked): Promise<End>
  /** What Querent said of the last searches: `changed`, `unchanged`, `passed through` or `failed`, and why. */
  said(): readonly string[]
  close(): Promise<void>
}

export interface Way {
  readonly name: string
  readonly kind: EngineKind
  readonly isProxy: boolean
  /** Whether what the application waits for an answer ends one that stops in its middle. */
  readonly endsBodies: boolean
  /** @param patience milliseconds that the application waits for an answer */
  direct(url: string, patience: number): Caller
  through(url: string, patience: number, options: AppOptions): Promise<Caller>
}

export const ways: readonly Way[] = [
  ...officialClients.map(wayOf),
  proxyTo('elasticsearch'),
  proxyTo('opensearch'),
]

function wayOf(official: OfficialClient): Way {
  const connect = (url: string, patience: number): Asking =>
    official.connect(url, { requestTimeout: patience, maxResponseSize: maxBytes })
  const close = ({ it }: Asking) => (it.close as () => Promise<void>)()
  return {
    name: `${official.name}, wrapped`,
    kind: official.kind,
    isProxy: false,
    endsBodies: official.kind === 'elasticsearch',
    direct(url, patience) {
      const client = connect(url, patience)
      return { ask: (asked) => askClient(client, asked), said: () => [], close: () => close(client) }
    },
    async through(url, patience, options) {
      const client = connect(url, patience)
      const reports: SearchReport[] = []
      const wrapped = official.wrap(client, {
        ...options,
        observe: { onSearch: (report) => reports.push(report) },
      })
      return {
        ask: (asked) => askClient(wrapped, asked),
        said: () => reports.splice(0).flatMap(({ outcome }) => (outcome === undefined ? [] : said(outcome))),
        close: () => close(client),
      }
    },
  }
}

async function askClient(client: Asking, asked: Asked): Promise<End> {
  try {
    const { statusCode, body } = await sendTo(client, asked)
    return { status: statusCode, body }
  } catch (thrown) {
    const error = thrown as Error & { readonly statusCode?: number; readonly body?: unknown }
    const { name, statusCode: status, body } = error
    // Messages tell where in an answer something is wrong, and how long it took changes that.
    const message = status === undefined ? error.message.replace(/\d+/g, '…') : error.message
    return { error: { type: error.constructor, name, message }, ...(status && { status, body }) }
  }
}

async function sendTo(client: Asking, { index, bodies, isMsearch, ends }: Asked) {
  if (isMsearch)
    return client.msearch(
      bodies.flatMap((body) => [{}, body]),
      { index },
    )
  if (ends === undefined) return client.search(index, bodies[0]!)
  const under = client.it.search({ index, body: bodies[0]! }) as ReturnType<Asking['search']> & {
    abort(): void
  }
  const timer = setTimeout(() => under.abort(), ends)
  return await under.finally(() => clearTimeout(timer))
}

function proxyTo(kind: EngineKind): Way {
  return {
    name: `the proxy before ${kind}`,
    kind,
    isProxy: true,
    endsBodies: true,
    direct: plainCaller,
    async through(url, patience, options) {
      const proxy = await createProxy({ ...options, target: url })
      const caller = plainCaller(await proxy.listen(0), patience)
      return {
        ...caller,
        async close() {
          await caller.close()
          await proxy.close()
        },
      }
    },
  }
}

/** HTTP and nothing more: no redirect is followed, nothing is asked for twice. */
function plainCaller(url: string, patience: number): Caller {
  const { protocol, hostname, port } = new URL(url)
  const agent = protocol === 'http:' ? new Agent({ keepAlive: true }) : undefined
  let said: string[] = []
  return {
    async ask({ index, bodies, isMsearch }) {
      const signal = AbortSignal.timeout(patience)
      const type = `application/${isMsearch ? 'x-ndjson' : 'json'}`
      const sent = (protocol === 'http:' ? sendHttp : sendHttps)({
        hostname,
        port,
        method: 'POST',
        path: `/${index}/_${isMsearch ? 'm' : ''}search`,
        agent,
        headers: { 'content-type': type, 'x-querent-explain': 'header' },
        signal,
      })
      const lines = bodies.map((body) => JSON.stringify(body))
      sent.end(isMsearch ? lines.map((line) => `{}\n${line}\n`).join('') : lines[0])
      try {
        const [answer] = await once(sent, 'response')
        const { statusCode: status, rawHeaders } = answer
        const text = (await buffer(answer)).toString()
        const words = headerOf(rawHeaders, 'x-querent')
        if (words !== undefined) said.push(words)
        return { status, headers: kept(rawHeaders), body: parsed(text) }
      } catch (thrown) {
        return { error: signal.aborted ? 'the caller’s time is up' : (thrown as NodeJS.ErrnoException).code }
      }
    },
    said() {
      const all = said
      said = []
      return all
    },
    close: async () => agent?.destroy(),
  }
}

/** Of an answer's headers those that say what it is. */
const kept = (headers: readonly string[]): JsonObject =>
  Object.fromEntries(
    ['content-type', 'location', 'www-authenticate', 'x-elastic-product'].map((name) => [
      name,
      headerOf(headers, name),
    ]),
  )

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
