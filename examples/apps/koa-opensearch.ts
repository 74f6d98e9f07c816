/** A typical application, Koa with OpenSearch; `koa-opensearch-optimized.ts` is the same one, optimized. */
import { Client } from '@opensearch-project/opensearch'
import Koa from 'koa'

const client = new Client({ node: process.env.OPENSEARCH_URL ?? 'http://127.0.0.1:9200' })
const app = new Koa()

app.use(async (context) => {
  const { body } = await client.search({
    index: process.env.ARTICLES ?? 'articles',
    body: { size: 5, query: { multi_match: { query: String(context.query.q), fields: ['title', 'text'] } } },
  })
  context.body = body.hits.hits.map(({ _id, _source }) => ({ id: _id, title: _source?.title }))
})

const server = app.listen(Number(process.env.PORT ?? 3000), () => console.log(server.address()))
