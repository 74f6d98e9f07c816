/** A search endpoint in Express, and a handler of your own that searches. */
import express from 'express'
import { createOptimizer } from 'querent'
import { searchRoute, withQuerent } from 'querent/express'
import { substringSearch } from '../substring-search.ts'

const books = [{ docid: 'dune', title: 'Dune', text: 'A desert planet and its giant worms.' }]
const optimizer = createOptimizer({ retrievers: [await substringSearch(books)] })
export const app = express()

app.use('/search', searchRoute({ optimizer }))

app.use(withQuerent({ optimizer }))
app.get('/books', async (request, response) => {
  const { title } = request.query
  if (typeof title !== 'string') {
    response.status(400).json({ error: 'title must be given once' })
    return
  }
  const { hits } = await request.querent.search(title)
  response.json(hits)
})
