/** A search endpoint on Node's own server. */
import { createServer } from 'node:http'
import { createOptimizer } from 'querent'
import { searchHandler } from 'querent/fetch'
import { nodeListener } from 'querent/node-request'
import { substringSearch } from '../substring-search.ts'

const books = [{ docid: 'dune', title: 'Dune', text: 'A desert planet and its giant worms.' }]
const optimizer = createOptimizer({ retrievers: [await substringSearch(books)] })

const server = createServer(nodeListener(searchHandler({ optimizer })))
server.listen(Number(process.env.PORT ?? 8178))

export { server }
