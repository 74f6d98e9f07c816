/** The official clients in one form, so that a test is written once for all of them. */
import * as elasticsearch9 from '@elastic/elasticsearch'
import * as opensearch3 from '@opensearch-project/opensearch'
import * as elasticsearch8 from 'elasticsearch-8'
import { querent as querentElasticsearch } from '../../adapters/apps/clients/elasticsearch.ts'
import { querent as querentOpensearch } from '../../adapters/apps/clients/opensearch.ts'
import type { JsonObject } from '../../adapters/apps/drop-in/parse/json.ts'
import type { AppOptions } from '../../adapters/apps/drop-in/run/settings.ts'
import type { EngineKind } from '../support/search-world.ts'

/** What a client gives of an answer. */
interface Result {
  readonly body: unknown
  readonly statusCode: number
  readonly headers: JsonObject
  readonly warnings: readonly string[] | null
  readonly meta: JsonObject
}

type Options = JsonObject

interface Itself {
  [key: string | symbol]: unknown
  search: (...given: unknown[]) => unknown
}

/** A client, bare or wrapped, as a test uses it. `it` is the client itself. */
export interface Asking {
  readonly it: Itself
  search(index: string | undefined, body: JsonObject | string, options?: Options): Promise<Result>
  msearch(lines: readonly JsonObject[], options?: Options & { readonly index?: string }): Promise<Result>
  child(options: JsonObject): Asking
}

export interface OfficialClient {
  readonly name: string
  readonly kind: EngineKind
  readonly errors: Readonly<Record<string, new (...given: never[]) => Error>>
  connect(url: string, options?: JsonObject): Asking
  wrap(client: Asking, options: AppOptions): Asking
}

type Loose = {
  search(parameters: unknown, options: unknown): Promise<Result>
  msearch(parameters: unknown, options: unknown): Promise<Result>
  child(options: unknown): Loose
}

export const officialClients: readonly OfficialClient[] = [
  elasticsearch('@elastic/elasticsearch 9', elasticsearch9),
  elasticsearch('@elastic/elasticsearch 8', elasticsearch8 as never),
  {
    name: '@opensearch-project/opensearch 3',
    kind: 'opensearch',
    errors: opensearch3.errors as never,
    connect: (url, options) =>
      ofOpensearch(new opensearch3.Client({ node: url, maxRetries: 0, ...options }) as never),
    wrap: ({ it }, options) => ofOpensearch(querentOpensearch(it as never, options) as never),
  },
]

function elasticsearch(name: string, { Client, errors }: typeof elasticsearch9): OfficialClient {
  return {
    name,
    kind: 'elasticsearch',
    errors: errors as never,
    connect: (url, options) => ofElasticsearch(new Client({ node: url, maxRetries: 0, ...options }) as never),
    wrap: ({ it }, options) => ofElasticsearch(querentElasticsearch(it as never, options) as never),
  }
}

function ofElasticsearch(client: Loose): Asking {
  return {
    it: client as never,
    search: (index, body, options) =>
      client.search(
        { ...(index !== undefined && { index }), ...(typeof body === 'string' ? { body } : body) },
        { meta: true, ...options },
      ),
    msearch: (searches, { index, ...options } = {}) =>
      client.msearch({ searches, ...(index !== undefined && { index }) }, { meta: true, ...options }),
    child: (options) => ofElasticsearch(client.child(options)),
  }
}

function ofOpensearch(client: Loose): Asking {
  return {
    it: client as never,
    search: async (index, body, options) =>
      client.search({ ...(index !== undefined && { index }), body }, options),
    msearch: async (body, { index, ...options } = {}) =>
      client.msearch({ body, ...(index !== undefined && { index }) }, options),
    child: (options) => ofOpensearch(client.child(options)),
  }
}
