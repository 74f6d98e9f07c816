/** What an application's compiler says of a wrapped client: nothing that it would not say of the client. */
import { Client as Elasticsearch9, type estypes, type TransportResult } from '@elastic/elasticsearch'
import { Client as OpenSearch3 } from '@opensearch-project/opensearch'
import { Client as Elasticsearch8, type TransportResult as TransportResult8 } from 'elasticsearch-8'
import { describe, expectTypeOf, it } from 'vitest'
import { querent as querentElasticsearch } from '../../../../adapters/apps/clients/elasticsearch.ts'
import { querent as querentOpensearch } from '../../../../adapters/apps/clients/opensearch.ts'

interface Work {
  readonly title: string
}
interface Subjects {
  readonly subjects: { readonly buckets: readonly { readonly key: string }[] }
}

const node = 'http://127.0.0.1:9'
/** Typed, not called: nothing is sent. */
const typed = <T>(_ask: () => T): T => undefined as T

describe('@elastic/elasticsearch 9', () => {
  const bare = new Elasticsearch9({ node })
  const client = querentElasticsearch(bare)

  it('is its client', () => {
    expectTypeOf(client).toExtend<Elasticsearch9>()
    expectTypeOf(client.warm).returns.resolves.toBeVoid()
    expectTypeOf(client.search).toEqualTypeOf(bare.search)
    expectTypeOf(client.msearch).toEqualTypeOf(bare.msearch)
    expectTypeOf(client.child).toEqualTypeOf(bare.child)
  })

  it('gives what its overloads say', () => {
    expectTypeOf(typed(() => client.search<Work>())).resolves.toEqualTypeOf<estypes.SearchResponse<Work>>()
    expectTypeOf(typed(() => client.search<Work, Subjects>({ index: 'works' }))).resolves.toEqualTypeOf<
      estypes.SearchResponse<Work, Subjects>
    >()
    expectTypeOf(typed(() => client.search<Work>({}, { meta: true }))).resolves.toEqualTypeOf<
      TransportResult<estypes.SearchResponse<Work>, unknown>
    >()
    expectTypeOf(typed(() => client.msearch<Work>({ searches: [] }))).resolves.toEqualTypeOf<
      estypes.MsearchResponse<Work>
    >()
    expectTypeOf(typed(() => client.child({}).search<Work>())).resolves.toEqualTypeOf<
      estypes.SearchResponse<Work>
    >()
    expectTypeOf(client.helpers.bulk<Work>).toEqualTypeOf(bare.helpers.bulk<Work>)
  })

  it('refuses what the client refuses', () => {
    // @ts-expect-error a size is a number
    typed(() => client.search({ size: 'ten' }))
    // @ts-expect-error there is no such option
    typed(() => querentElasticsearch(bare, { police: 'none' }))
  })

  it('is no object, and no client of another engine', () => {
    // @ts-expect-error it is no client
    typed(() => querentElasticsearch({}))
    // @ts-expect-error it is no client
    typed(() => querentOpensearch({}))
    // @ts-expect-error it is a client of OpenSearch
    typed(() => querentElasticsearch(new OpenSearch3({ node })))
    // @ts-expect-error it is a client of Elasticsearch
    typed(() => querentOpensearch(bare))
    // @ts-expect-error it is a client of Elasticsearch
    typed(() => querentOpensearch(new Elasticsearch8({ node })))
    // @ts-expect-error its address is no client
    typed(() => querentElasticsearch(node))
  })

  it("is of a class of an application's own", () => {
    class Own extends Elasticsearch9 {
      readonly mine: string = 'own'
    }
    expectTypeOf(querentElasticsearch(new Own({ node })).mine).toEqualTypeOf<string>()
  })
})

it('@elastic/elasticsearch 8 is its client', () => {
  const bare = new Elasticsearch8({ node })
  const client = querentElasticsearch(bare)
  expectTypeOf(client).toExtend<Elasticsearch8>()
  expectTypeOf(typed(() => client.search<Work>({}, { meta: true }))).resolves.toExtend<
    TransportResult8<{ readonly hits: { readonly hits: { readonly _source?: Work }[] } }, unknown>
  >()
  expectTypeOf(typed(() => client.search<Work>())).resolves.toExtend<{ readonly took: number }>()
})

it('@opensearch-project/opensearch 3 is its client', () => {
  const bare = new OpenSearch3({ node })
  const client = querentOpensearch(bare)
  expectTypeOf(client).toExtend<OpenSearch3>()
  expectTypeOf(client.search).toEqualTypeOf(bare.search)
  expectTypeOf(client.child).toEqualTypeOf(bare.child)
  expectTypeOf(typed(() => client.search({ index: 'works' }).abort)).toEqualTypeOf<() => void>()
  expectTypeOf(typed(() => client.search({}))).resolves.toHaveProperty('statusCode')
  typed(() => client.search({ index: 'works' }, (error, result) => void [error.name, result.body.hits]))
})
