/** A search endpoint in Koa, and a handler of your own that searches. */
import Koa from 'koa'
import { createOptimizer } from 'querent'
import { searchRoute, withQuerent } from 'querent/koa'
import { substringSearch } from '../substring-search.ts'

const books = [{ docid: 'dune', title: 'Dune', text: 'A desert planet and its giant worms.' }]
const optimizer = createOptimizer({ retrievers: [await substringSearch(books)] })
export const app = new Koa()

app.use(searchRoute({ optimizer }))

app.use(withQuerent({ optimizer }))
app.use(async (context) => {
  const { title } = context.query
  if (typeof title !== 'string') return context.throw(400, 'title must be given once')
  context.body = (await context.querent.search(title)).hits
})
