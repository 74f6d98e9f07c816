/** Other options for some indices, in one client. */
import { Client } from '@elastic/elasticsearch'
import { querent } from 'querent/elasticsearch'

const node = process.env.ELASTICSEARCH_URL ?? 'http://127.0.0.1:9200'

export const client = querent(new Client({ node }), {
  rules: [
    { index: 'logs-*', optimize: false },
    { index: 'shop', filters: { 'brand.keyword': 'keyword', price: 'EUR' } },
  ],
})
