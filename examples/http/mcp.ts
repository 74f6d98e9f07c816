/** Search as tools for agents, over HTTP. */
import { Hono } from 'hono'
import { createOptimizer } from 'querent'
import { mcpHandler } from 'querent/mcp'
import { substringSearch } from '../substring-search.ts'

const books = [{ docid: 'dune', title: 'Dune', text: 'A desert planet and its giant worms.' }]
const optimizer = createOptimizer({ retrievers: [await substringSearch(books)] })
export const app = new Hono()

const handle = await mcpHandler({ optimizer, about: 'novels' })
app.all('/mcp', (context) => handle(context.req.raw)) // Hono
