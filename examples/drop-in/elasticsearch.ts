/** Elasticsearch's client with optimized searches, and the settings of a single search. */
import { Client } from '@elastic/elasticsearch'
import { querent, querentContext } from 'querent/elasticsearch' // or querent/opensearch, for @opensearch-project/opensearch

const client = querent(new Client({ node: process.env.ELASTICSEARCH_URL ?? 'http://127.0.0.1:9200' }))

/** A question that can only be understood with the conversation before it. */
export function searchAfter(history: readonly { role: 'user' | 'assistant'; text: string }[], words: string) {
  return client.search(
    { index: 'articles', query: { match: { text: words } } },
    { context: querentContext({ history, explain: true }) },
  )
}
