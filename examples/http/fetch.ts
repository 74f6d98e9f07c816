// biome-ignore-all lint/style/noDefaultExport: Bun, Deno and Workers serve a module's default export.
/** A search endpoint as a fetch handler. */
import { Hono } from 'hono'
import { createOptimizer } from 'querent'
import { searchHandler } from 'querent/fetch'
import { substringSearch } from '../substring-search.ts'

const books = [{ docid: 'dune', title: 'Dune', text: 'A desert planet and its giant worms.' }]
const optimizer = createOptimizer({ retrievers: [await substringSearch(books)] })
export const app = new Hono()

const handle = searchHandler({ optimizer })
export default { fetch: handle } // Bun, Deno, Workers
app.all('/search', (context) => handle(context.req.raw)) // Hono
