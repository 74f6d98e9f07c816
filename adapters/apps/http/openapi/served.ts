/** The endpoints of `querent serve` as an OpenAPI document. */
import { difyPath, difyRequest } from '../dify.ts'
import { addressSchema, bodySchema, streamSchema } from '../parameters.ts'
import { problemTable } from '../problem.ts'
import { rerankPaths, rerankRequest } from '../rerank.ts'
import { vectorStoreRequest } from '../vector-store.ts'
import { answerSchemas } from './answers.ts'
import {
  answered,
  get,
  jsonBody,
  type OpenApi,
  type Operation,
  openApi,
  openApiOperations,
  openApiPath,
  ref,
  urlParameters,
} from './document.ts'

/** As `searchHandler` has them by default, with filters. */
const limits = { maxHits: 100, filter: true }

const description = `Search over HTTP, as \`querent serve\` answers it. The server does not authenticate anyone.

The page at \`/\` is for browsers. Other paths are answered with 404, other methods with 405, pages of other sites and host names that are not the server's with 403, and methods that the web forbids, such as TRACE, with 501, each with a \`Problem\`. A request that is not HTTP gets a 400 without a body, one with more than 16 KiB of headers a 431, and one that does not arrive in time a 408.`

const problemAnswer = (...meanings: readonly string[]): object =>
  answered(meanings.join(' '), ref('Problem'), 'application/problem+json')

/** 503 is also the answer while the server is stopping. */
const failures = {
  500: problemAnswer(problemTable['setup-failed'].title),
  502: problemAnswer(problemTable['backend-failed'].title),
  503: {
    ...problemAnswer('A backend is at its limits, or the search was aborted: try again later.'),
    headers: { 'retry-after': { description: 'Seconds.', schema: { type: 'integer' }, required: true } },
  },
  504: problemAnswer('No retriever answered the original query in time.'),
}

const refusals = { 400: problemAnswer(problemTable['bad-request'].title), ...failures }

/** Of a query in the address, which is longer there than its characters. */
const addressRefusals = {
  ...refusals,
  431: { description: 'The address and the headers have more than 16 KiB. `POST` takes longer queries.' },
}

const bodyRefusals = {
  ...refusals,
  413: problemAnswer(problemTable['too-large'].title),
  415: problemAnswer(problemTable['wrong-type'].title),
}

const found = {
  description: 'The hits. If a stream was asked for: a line for each stage, the last of them the hits.',
  content: {
    'application/json': { schema: ref('SearchAnswer') },
    'application/x-ndjson': {
      schema: {
        type: 'string',
        description: 'Each line is a `SearchEvent`.',
        contentSchema: ref('SearchEvent'),
      },
    },
  },
}

const streamParameters = urlParameters(streamSchema)
const searchParameters = [...urlParameters(addressSchema('q', limits.maxHits)), ...streamParameters]

const post = (operationId: string, summary: string, asked: object, answer: object): Operation => ({
  operationId,
  summary,
  requestBody: jsonBody(asked),
  responses: { 200: answer, ...bodyRefusals },
})

/** @param version of Querent */
export const servedApi = (version: string): OpenApi =>
  openApi({
    title: 'querent serve',
    version,
    description,
    requests: {
      SearchByText: bodySchema('text', limits),
      SearchByQ: bodySchema('q', limits),
      VectorStoreSearch: vectorStoreRequest,
      DifyRetrieval: difyRequest,
      Rerank: rerankRequest(),
    },
    answers: answerSchemas,
    paths: {
      '/search': {
        get: {
          operationId: 'search',
          summary: 'Searches.',
          parameters: searchParameters,
          responses: { 200: found, ...addressRefusals },
        },
        head: {
          operationId: 'searchHead',
          summary: 'Searches, and answers without the hits.',
          parameters: searchParameters,
          responses: Object.fromEntries(
            Object.keys({ 200: found, ...addressRefusals }).map((status) => [
              status,
              { description: 'As of GET, without the body.' },
            ]),
          ),
        },
        post: {
          ...post(
            'searchByBody',
            'Searches, with a conversation and a filter if wanted.',
            { anyOf: [ref('SearchByText'), ref('SearchByQ')] },
            found,
          ),
          parameters: streamParameters,
        },
      },
      '/v1/vector_stores/{id}/search': {
        post: {
          ...post(
            'searchVectorStore',
            "Searches, in the protocol of OpenAI's vector stores.",
            ref('VectorStoreSearch'),
            answered('A page of hits.', ref('VectorStorePage')),
          ),
          parameters: [
            {
              name: 'id',
              in: 'path',
              required: true,
              description: 'Every id means the index of the server.',
              schema: { type: 'string', minLength: 1 },
            },
          ],
        },
      },
      [difyPath]: {
        post: post(
          'retrieve',
          "Searches, in the protocol of Dify's external knowledge.",
          ref('DifyRetrieval'),
          answered('The hits.', ref('DifyRecords')),
        ),
      },
      ...Object.fromEntries(
        rerankPaths.map((path) => [
          path,
          {
            post: post(
              path === '/rerank' ? 'rerank' : 'rerankVersion1',
              "Re-ranks documents, in Cohere's protocol.",
              ref('Rerank'),
              answered('The documents in their new order.', ref('RerankAnswer')),
            ),
          },
        ]),
      ),
      '/health': get('health', 'Whether the server takes requests.', {
        200: answered('It does.', ref('Health')),
        503: answered('It is stopping.', ref('Health')),
      }),
      '/metrics': get('metrics', 'Metrics for Prometheus.', {
        200: answered('The metrics.', { type: 'string' }, 'text/plain'),
        404: problemAnswer('The server was started without `--metrics`.'),
      }),
      [openApiPath]: openApiOperations(),
    },
  })
