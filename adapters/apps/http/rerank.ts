/** `POST /v1/rerank` in Cohere's protocol, for clients of Cohere, Jina and vLLM, and for Querent's own `httpReranker`. */
import { z } from 'zod'
import { oneObject, queryText } from './kinds.ts'
import { postJson } from './post-json.ts'

export interface GivenDocument {
  readonly title?: string | undefined
  readonly text: string
}

export interface RerankHandlerOptions {
  /** The name that answers have as `model`. */
  readonly name: string
  /** One score per document, in their order, from 0 to 1. Higher is better. */
  score(query: string, documents: readonly GivenDocument[], signal: AbortSignal): Promise<readonly number[]>
  /** Documents of a request. Default: 1,000. */
  readonly maxDocuments?: number
  /** Bytes of a body. Default: 4 MiB. */
  readonly limit?: number
  /** Called with the error of a request that failed here. */
  readonly onError?: (error: Error) => void
}

const defaultDocuments = 1000

export const rerankPaths: readonly string[] = ['/v1/rerank', '/rerank']

/** The body of a request. */
export const rerankRequest = (maxDocuments = defaultDocuments) =>
  // Other clients send more, such as `max_tokens_per_doc`.
  z.object(
    {
      model: z.string('must be text').nullish(),
      query: queryText,
      documents: z
        .array(
          z.union(
            [
              z.string().transform((text): GivenDocument => ({ text })),
              z.object({ text: z.string(), title: z.string().optional() }),
            ],
            'must be text, or an object with text and perhaps a title',
          ),
          { error: ({ input }) => (input === undefined ? 'is missing' : 'must be a list of documents') },
        )
        .min(1, 'must have a document')
        .max(maxDocuments, `must have ${maxDocuments} documents at most`),
      top_n: z.int('must be a whole number').min(1, 'must be 1 or more').nullish(),
      return_documents: z.boolean('must be true or false').nullish(),
    },
    oneObject,
  )

/** Makes the handler of both paths. It never rejects: the answer to a failed request is a `Problem`. */
export const rerankHandler = ({
  name,
  score,
  maxDocuments = defaultDocuments,
  limit = 4 * 2 ** 20,
  onError,
}: RerankHandlerOptions): ((request: Request) => Promise<Response>) =>
  postJson({
    purpose: 're-ranking',
    schema: rerankRequest(maxDocuments),
    limit,
    onError,
    async answer({ query, documents, top_n, return_documents }, signal) {
      const scores = await score(query, documents, signal)
      const results = documents
        .map((document, index) => ({
          index,
          relevance_score: scores[index]!,
          ...(return_documents && { document }),
        }))
        .sort((one, other) => other.relevance_score - one.relevance_score)
        .slice(0, top_n ?? documents.length)
      const meta = { api_version: { version: '2' } }
      return { id: crypto.randomUUID(), model: name, results, meta }
    },
  })
