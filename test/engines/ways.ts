/** The ways in which an application reaches an engine, each bare and with Querent before it. */

import { Client as Elasticsearch9 } from '@elastic/elasticsearch'
import { Client as OpenSearch3 } from '@opensearch-project/opensearch'
import { Client as Elasticsearch8 } from 'elasticsearch-8'
import { querent as querentElasticsearch } from '../../adapters/apps/clients/elasticsearch.ts'
import { querent as querentOpensearch } from '../../adapters/apps/clients/opensearch.ts'
import type { JsonObject } from '../../adapters/apps/drop-in/parse/json.ts'
import type { AppOptions } from '../../adapters/apps/drop-in/run/settings.ts'
import { parseAnswer } from '../../adapters/apps/proxy/json.ts'
import { createProxy } from '../../adapters/apps/proxy/proxy.ts'
import type { SearchReport } from '../../src/observe.ts'
import { passedIn } from '../support/passed.ts'
import type { EngineKind } from '../support/search-world.ts'

export interface Search {
  readonly index?: string | undefined
  readonly parameters: Readonly<Record<string, string>>
  readonly body: JsonObject
}

/** What an engine says to a search, an error as its status and body. */
export type Ask = (search: Search) => Promise<unknown>

export interface Optimizing {
  readonly ask: Ask
  /** Why the last search passed through, undefined where it was optimized; absent where that cannot be told. */
  readonly passedThrough?: () => string | undefined
  close(): Promise<void>
}

export interface Way {
  readonly name: string
  readonly bare: Ask
  optimizing(options: AppOptions): Promise<Optimizing>
}

const quiet = { maxRetries: 0 } as const

export function waysTo(kind: EngineKind, url: string): Way[] {
  return kind === 'elasticsearch'
    ? [
        elasticsearch('client 9', url, Elasticsearch9),
        elasticsearch('client 8', url, Elasticsearch8 as never),
        proxy(url),
      ]
    : [opensearch('client 3', url), proxy(url)]
}

function elasticsearch(name: string, url: string, Client: typeof Elasticsearch9): Way {
  const client = new Client({ node: url, ...quiet })
  const asked =
    (of: Elasticsearch9): Ask =>
    ({ index, parameters, body }) =>
      answered(
        of.search({ ...body, ...(index !== undefined && { index }) } as never, { querystring: parameters }),
      )
  return {
    name,
    bare: asked(client),
    async optimizing(options) {
      let passed: string | undefined
      const onSearch = (report: SearchReport): void => {
        passed = passedIn(report)
      }
      const wrapped = querentElasticsearch(client, { ...options, observe: { onSearch } })
      return { ask: asked(wrapped), passedThrough: () => passed, close: async () => {} }
    },
  }
}

function opensearch(name: string, url: string): Way {
  const client = new OpenSearch3({ node: url, ...quiet })
  const asked =
    (of: OpenSearch3): Ask =>
    ({ index, parameters, body }) =>
      answered(
        (async () =>
          (await of.search({ ...parameters, body, ...(index !== undefined && { index }) } as never)).body)(),
      )
  return {
    name,
    bare: asked(client),
    async optimizing(options) {
      let passed: string | undefined
      const onSearch = (report: SearchReport): void => {
        passed = passedIn(report)
      }
      const wrapped = querentOpensearch(client, { ...options, observe: { onSearch } })
      return { ask: asked(wrapped), passedThrough: () => passed, close: async () => {} }
    },
  }
}

/** A client's error is what the engine answered with. */
function answered(asked: Promise<unknown>): Promise<unknown> {
  return asked.catch((error: unknown) => {
    const { statusCode, body } = error as { readonly statusCode?: number; readonly body?: unknown }
    if (statusCode === undefined) throw error
    return { statusCode, body }
  })
}

function proxy(url: string): Way {
  const askedAt =
    (at: string): Ask =>
    async ({ index, parameters, body }) => {
      const query = new URLSearchParams(parameters).toString()
      const path = `${index === undefined ? '' : `/${encodeURIComponent(index)}`}/_search${query && `?${query}`}`
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(at + path, { method: 'POST', body: JSON.stringify(body), headers })
      const text = await response.text()
      return response.ok ? parseAnswer(text) : { statusCode: response.status, body: parseAnswer(text) }
    }
  return {
    name: 'proxy',
    bare: askedAt(url),
    async optimizing(options) {
      const running = await createProxy({ ...options, target: url })
      const at = await running.listen(0)
      return { ask: askedAt(at), close: () => running.close() }
    },
  }
}
