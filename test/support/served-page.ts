/** The page of an application in this process, with a retriever whose documents have titles. */
import { onTestFinished } from 'vitest'
import { playgroundHandler } from '../../adapters/apps/http/fetch.ts'
import { startServer } from '../../adapters/apps/http/node-server.ts'
import { createOptimizer, type OptimizerOptions } from '../../src/optimizer.ts'
import type { Document, Retriever } from '../../src/types.ts'

/** Finds a to l for all words: documents with long texts that name them. */
function lettersRetriever(): Retriever {
  const documents = [...'abcdefghijkl'].map(
    (docid): Document => ({
      docid,
      title: `Letter ${docid.toUpperCase()}`,
      text: `The letter ${docid} was found first. ${'It says nothing of interest. '.repeat(8)}Somebody wrote it in the end.`,
    }),
  )
  return {
    name: 'bm25',
    async retrieve(subQueries) {
      return subQueries.map((subQuery) => {
        const found = subQuery.round === 0 ? documents : documents.toReversed().slice(0, 3)
        return {
          retriever: 'bm25',
          subQuery,
          hits: found.map((document, at) => ({
            docid: document.docid,
            rank: at + 1,
            score: found.length - at,
            document,
          })),
        }
      })
    },
  }
}

/** @param options of its optimizer. `fails` makes the server answer searches with 500 while it returns true. */
export async function servedPage(
  options: Partial<OptimizerOptions> = {},
  { fails = () => false }: { readonly fails?: () => boolean } = {},
) {
  const optimizer = createOptimizer({ retrievers: [lettersRetriever()], ...options })
  const others = { none: createOptimizer({ retrievers: [lettersRetriever()] }) }
  const handle = playgroundHandler({ optimizer, others })
  const asked: unknown[] = []
  const server = await startServer(
    async (request) => {
      if (request.method === 'POST') {
        asked.push(await request.clone().json())
        if (fails())
          return new Response('{"title":"It failed.","detail":"A test.","remedy":"Wait."}', { status: 500 })
      }
      return handle(request)
    },
    { port: 0 },
  )
  onTestFinished(() => server.close())
  return { url: `${server.url}/playground`, asked }
}
