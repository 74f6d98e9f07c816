/** A typical application, Express with Elasticsearch; `express-elasticsearch-optimized.ts` is the same one, optimized. */
import { Client } from '@elastic/elasticsearch'
import express from 'express'

interface Article {
  readonly title: string
  readonly text: string
}

const client = new Client({ node: process.env.ELASTICSEARCH_URL ?? 'http://127.0.0.1:9200' })
const app = express()

app.get('/search', async (request, response) => {
  const { hits } = await client.search<Article>({
    index: process.env.ARTICLES ?? 'articles',
    size: 5,
    query: { multi_match: { query: String(request.query.q), fields: ['title', 'text'] } },
  })
  response.json(hits.hits.map(({ _id, _source }) => ({ id: _id, title: _source?.title })))
})

const server = app.listen(Number(process.env.PORT ?? 3000), () => console.log(server.address()))
