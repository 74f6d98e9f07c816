/** The ways in which lists of an engine come to be fused, so that a test is written once for all of them. */

import { identity } from '../../adapters/apps/drop-in/answer/engine-answer.ts'
import type { JsonObject } from '../../adapters/apps/drop-in/parse/json.ts'
import { createProxy } from '../../adapters/apps/proxy/proxy.ts'
import { type DocumentAddress, docidOf } from '../../adapters/search/cluster/docid.ts'
import type { ClusterRetriever } from '../../adapters/search/cluster/retriever.ts'
import { elasticsearch } from '../../adapters/search/elasticsearch.ts'
import { opensearch } from '../../adapters/search/opensearch.ts'
import { fusionByName } from '../../fusion/index.ts'
import { createOptimizer } from '../../src/optimizer.ts'
import type { Policy } from '../../src/policy.ts'
import { rankHits, type Scored } from '../../src/rank.ts'
import type { Reranker } from '../../src/reranker.ts'
import { patient } from '../support/scripted-policy.ts'
import { type EngineKind, send } from '../support/search-world.ts'
import { officialClients } from './official-clients.ts'

/** A search body, made for these words. */
export type BodyOf = (words: string) => JsonObject

interface Fusing {
  search(words: string): Promise<readonly Scored[]>
  close(): Promise<void>
}

export interface FusingWay {
  readonly name: string
  /** Whether a query that is left alone has the engine's own answer, with its scores. */
  readonly keepsAnswers: boolean
  /** The list that an answer of the engine amounts to. */
  listOf(answer: JsonObject): readonly Scored[]
  /** Searches `depth` hits deep at this address. */
  open(url: string, index: string, bodyOf: BodyOf, options: FusingOptions): Promise<Fusing>
}

interface FusingOptions {
  readonly policy: Policy
  /** The name of a method. Default: `rank-score`. */
  readonly fusion?: string
  /** Default: the fused order stays. */
  readonly rerank?: Reranker | undefined
}

/** Of lists and of what is fused. */
export const depth = 100

const retrievers = { elasticsearch, opensearch } as const

interface WireHit extends DocumentAddress {
  readonly _score: number
}

const wireHits = (answer: JsonObject): readonly WireHit[] =>
  (answer.hits as { readonly hits: readonly WireHit[] }).hits

/** What an application sees: each document by its identity, in the order of the answer. */
const appList = (answer: JsonObject): readonly Scored[] =>
  wireHits(answer).map((hit) => ({ docid: identity({ ...hit }), score: hit._score }))

export function fusingWays(kind: EngineKind): readonly FusingWay[] {
  const client = officialClients.find((one) => one.kind === kind)!
  return [
    {
      name: 'the retriever',
      keepsAnswers: false,
      listOf: (answer) =>
        rankHits(wireHits(answer).map((hit) => ({ docid: docidOf(hit, undefined), score: hit._score }))).map(
          ({ docid, score }) => ({ docid, score }),
        ),
      async open(url, index, bodyOf, options) {
        const body = bodyOf('{{query}}')
        return optimizing(await retrievers[kind]({ url, index, body }), options)
      },
    },
    {
      name: client.name,
      keepsAnswers: true,
      listOf: appList,
      async open(url, index, bodyOf, options) {
        const bare = client.connect(url)
        const wrapped = client.wrap(bare, { ...patient, rerank: false, ...options })
        return {
          async search(words) {
            const { body } = await wrapped.search(index, { ...bodyOf(words), size: depth })
            return appList(body as JsonObject)
          },
          close: async () => void (await (bare.it.close as () => Promise<void>)()),
        }
      },
    },
    {
      name: 'the proxy',
      keepsAnswers: true,
      listOf: appList,
      async open(url, index, bodyOf, options) {
        const proxy = await createProxy({ ...patient, target: url, rerank: false, ...options })
        const at = await proxy.listen(0)
        return {
          async search(words) {
            const body = JSON.stringify({ ...bodyOf(words), size: depth })
            return appList(await send(at, 'POST', `/${index}/_search`, body))
          },
          close: () => proxy.close(),
        }
      },
    },
  ]
}

/** An optimizer of one's own over a retriever. */
export function optimizing(
  retriever: ClusterRetriever,
  { policy, fusion = 'rank-score', rerank }: FusingOptions,
): Fusing {
  const optimizer = createOptimizer({
    retrievers: [retriever],
    policy,
    rerank,
    fusion: fusionByName(fusion),
    k: depth,
    depth,
    budget: { timeout: 120_000 },
    legTimeout: 60_000,
  })
  return {
    async search(words) {
      const { hits } = await optimizer.search(words)
      return hits.map(({ docid, score }) => ({ docid, score }))
    },
    close: () => optimizer.close(),
  }
}
