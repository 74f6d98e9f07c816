/** A reward server over a few documents, and a client for it. */
import { onTestFinished } from 'vitest'
import {
  type RewardServerOptions,
  startRewardServer,
} from '../../../../adapters/apps/reward-server/server.ts'
import { buildWinkBm25 } from '../../../../adapters/search/wink-bm25.ts'
import { newManifest } from '../../../../src/index-folder/manifest.ts'
import type { OpenedIndex } from '../../../../src/index-folder/open.ts'
import type { Document, Qrels, Retriever } from '../../../../src/types.ts'
import { finderOf } from '../../../support/finder.ts'

const documents: readonly Document[] = [
  { docid: 'dune', title: 'Dune', text: 'A novel of a desert planet, written by Frank Herbert.' },
  { docid: 'emma', title: 'Emma', text: 'A novel of a matchmaker, written by Jane Austen.' },
  { docid: 'herbert', title: 'Frank Herbert', text: 'An American writer, born in Tacoma.' },
  { docid: 'austen', title: 'Jane Austen', text: 'An English writer, born in Steventon.' },
]

export const qrels: Qrels = new Map([
  ['q1', new Map([['dune', 1]])],
  [
    'q2',
    new Map([
      ['dune', 1],
      ['emma', 2],
      ['austen', 0],
    ]),
  ],
  ['q3', new Map([['dune', 0]])],
])

/** These documents as an opened index, searched by BM25 or by what is given. */
export async function openedIndex(retrievers?: readonly Retriever[]): Promise<OpenedIndex> {
  const values = {
    generation: `generation-${'0'.repeat(16)}`,
    folder: '',
    documents: documents.length,
    corpus: 'c',
    bm25: {},
    files: {},
  }
  return {
    manifest: newManifest(values, '0.0.0'),
    retrievers: retrievers ?? [await buildWinkBm25(documents)],
    documents: {
      size: documents.length,
      async *all() {
        yield* documents
      },
      get: finderOf(documents),
      close: async () => {},
    },
    withDocuments: async (hits) => hits,
    close: async () => {},
  }
}

/** What a client sees of an answer. */
interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests compare it with what it should be.
  readonly body: any
}

export interface TestServer {
  readonly url: string
  post(path: string, body: unknown, options?: RequestInit): Promise<Answer>
  get(path: string): Promise<{ readonly status: number; readonly text: string }>
  /** The value of a metric; 0 where it has not been counted. */
  metric(name: string): Promise<number>
  close(): Promise<void>
}

/** A server on a free port, closed when the test is over. */
export async function testServer({
  retrievers,
  ...options
}: Partial<RewardServerOptions> & { readonly retrievers?: readonly Retriever[] } = {}): Promise<TestServer> {
  const server = await startRewardServer({ index: await openedIndex(retrievers), qrels, port: 0, ...options })
  let closed = false
  const close = async (): Promise<void> => {
    if (closed) return
    closed = true
    await server.close()
  }
  onTestFinished(close)

  async function get(path: string) {
    const response = await fetch(`${server.url}${path}`)
    return { status: response.status, text: await response.text() }
  }

  return {
    url: server.url,
    close,
    get,
    async post(path, body, init = {}) {
      const response = await fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...init,
      })
      return { status: response.status, headers: response.headers, body: await response.json() }
    },
    async metric(name) {
      const { text } = await get('/metrics')
      const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `))
      return Number(line?.slice(name.length + 1) ?? 0)
    },
  }
}

/** An answer in ACQO's grammar. */
export const answer = (...subQueries: readonly string[]): string =>
  JSON.stringify({ query: subQueries.join(' %% ') })
