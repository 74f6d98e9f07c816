/** What both clients are sent for a leg of weights. The shapes are checked against the clients' own types of requests. */
import type { estypes } from '@elastic/elasticsearch'
import type { Common_QueryDsl } from '@opensearch-project/opensearch/api/_types/index.js'
import { expect, it } from 'vitest'
import type { SparseOptions } from '../../../../adapters/search/cluster/options.ts'
import { elasticsearch } from '../../../../adapters/search/elasticsearch.ts'
import { opensearch } from '../../../../adapters/search/opensearch.ts'

const encoder = { name: 'scripted', encode: async () => [new Map([['red', 1.5]])] }

async function sentBy(create: typeof elasticsearch | typeof opensearch, sparse: SparseOptions) {
  const sent: { bulkBody?: Record<string, unknown>[] }[] = []
  const client = {
    transport: {
      async request(params: { bulkBody?: Record<string, unknown>[] }) {
        sent.push(params)
        return { body: { responses: [{ hits: { hits: [] } }] } }
      },
    },
    helpers: { bulk: () => Promise.reject(new Error('not used')) as never },
    close: async () => {},
  }
  const retriever = await create({ client, index: 'mine', fields: false, sparse })
  await retriever.retrieve([{ text: 'a red fox', round: 1 }], { k: 3 })
  return sent[0]!.bulkBody![1]!.query
}

it('is what Elasticsearch documents', async () => {
  const query_vector = { red: 1.5 }
  expect(await sentBy(elasticsearch, { field: 'w', encoder })).toEqual({
    sparse_vector: { field: 'w', query_vector },
  } satisfies estypes.QueryDslQueryContainer)
  expect(await sentBy(elasticsearch, { field: 'w', inference: 'my-elser' })).toEqual({
    sparse_vector: { field: 'w', inference_id: 'my-elser', query: 'a red fox' },
  } satisfies estypes.QueryDslQueryContainer)
  expect(await sentBy(elasticsearch, { field: 'w' })).toEqual({
    semantic: { field: 'w', query: 'a red fox' },
  } satisfies estypes.QueryDslQueryContainer)
})

it('is what OpenSearch documents', async () => {
  expect(await sentBy(opensearch, { field: 'w', encoder })).toEqual({
    neural_sparse: { w: { query_tokens: { red: 1.5 } } },
  } satisfies Common_QueryDsl.QueryContainer)
  expect(await sentBy(opensearch, { field: 'w', inference: 'model-7' })).toEqual({
    neural_sparse: { w: { query_text: 'a red fox', model_id: 'model-7' } },
  } satisfies Common_QueryDsl.QueryContainer)
  expect(await sentBy(opensearch, { field: 'w' })).toEqual({
    neural_sparse: { w: { query_text: 'a red fox' } },
  } satisfies Common_QueryDsl.QueryContainer)
  expect(await sentBy(opensearch, { field: 'w', encoder, rankFeatures: true })).toEqual({
    bool: { should: [{ rank_feature: { field: 'w.red', linear: {}, boost: 1.5 } }] },
  } satisfies Common_QueryDsl.QueryContainer)
})
