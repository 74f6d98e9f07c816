/** Builds what the protocols need from an opened index and settings. */
import { createHash } from 'node:crypto'
import type { Answers } from '../../../src/evaluation/answers.ts'
import type { IndexManifest } from '../../../src/index-folder/manifest.ts'
import type { OpenedIndex } from '../../../src/index-folder/open.ts'
import { version } from '../../../src/index-folder/version.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import { relevantOf } from '../../../src/training/data/relevant-docs.ts'
import type { ServedRewardOptions } from '../../../src/training/rewards/reward.ts'
import { createRolloutScorer } from '../../../src/training/rewards/scorer.ts'
import { createSearcher, type SearcherOptions } from '../../../src/training/rewards/searcher.ts'
import type { Qrels, Query } from '../../../src/types.ts'
import type { Rolling, Service } from './protocols/protocol.ts'

export interface ServiceOptions {
  readonly index: OpenedIndex
  /** Judgments, for requests that only name a query. */
  readonly qrels?: Qrels
  /** Reward options, unless a request sets its own. */
  readonly defaults?: ServedRewardOptions
  /** Default: 3. */
  readonly maxSubQueries?: number
  /** For rollouts. Default: the server makes none. */
  readonly models?: Pick<Rolling, 'environment' | 'agents' | 'judge'> | undefined
  /** The tasks of environments and the queries of rollouts that only name one, and their accepted answers. */
  readonly queries?: readonly Query[] | undefined
  readonly answers?: Answers | undefined
  /** See `SearcherOptions`. */
  readonly cacheEntries?: number
  readonly cacheBytes?: number
  readonly maxSearches?: number
  readonly maxQueued?: number
  /** Milliseconds for a request and for a batch of searches. Trainers give up after 120 s. Default: 60,000. */
  readonly timeout?: number
  readonly clock?: Clock
}

export function createService({
  index,
  qrels,
  defaults = {},
  maxSubQueries = 3,
  models,
  queries = [],
  answers,
  ...options
}: ServiceOptions & Pick<SearcherOptions, 'onBatch'>): Service {
  const { retrievers, manifest, documents } = index
  const indexDigest = digestOf(contentOf(manifest))
  const searcher = createSearcher({ ...options, retrievers, indexDigest })
  const byQid = new Map(queries.map((query) => [query.qid, query]))
  const query: Rolling['query'] = (qid) => {
    const found = byQid.get(qid)
    const docids = relevantOf(qrels?.get(qid))
    return found && { query: found, golds: { docids, answers: answers?.get(qid) ?? [] } }
  }
  return {
    searcher,
    rewards: defaults,
    maxSubQueries,
    tasks: {
      judged: queries.filter(({ qid = '' }) => relevantOf(qrels?.get(qid)).length > 0),
      answered: queries.filter(({ qid = '' }) => answers?.has(qid)),
      accepted: (qid) => answers?.get(qid) ?? [],
    },
    ...(models && {
      rolling: {
        ...models,
        query,
        retrievers,
        documents: (docids) => documents.get(docids),
      },
    }),
    scorer: createRolloutScorer({ searcher, defaults, maxSubQueries, ...(qrels && { qrels }) }),
    server: {
      version,
      retriever: retrievers.map(({ name }) => name).join('+'),
      index_digest: indexDigest,
      config_digest: digestOf({
        defaults,
        maxSubQueries,
        relevant: qrels && digestOfRelevant(qrels),
        answers: answers && digestOf([...answers]),
      }),
    },
    async contentsOf(docids) {
      const found = await documents.get(docids)
      // Quoted, as in the corpus that Search-R1's models were trained on.
      return found.map((document) => document && `"${document.title ?? ''}"\n${document.text}`)
    },
  }
}

/** The parts of a manifest that decide the hits of a search. Time and place of the build are not among them. */
function contentOf({ corpus, bm25, dense }: IndexManifest): object {
  return {
    corpus,
    bm25,
    dense: dense && {
      name: dense.name,
      dimensions: dense.dimensions,
      kind: dense.kind,
      hnsw: dense.hnsw,
      // Names the weights of the model, which may change under one name.
      journal: dense.journal,
    },
  }
}

/** The digest of the relevant documents of each query. Rewards depend on these, not on their grades. */
function digestOfRelevant(qrels: Qrels): string {
  const hash = createHash('sha256')
  for (const [qid, grades] of qrels) hash.update(JSON.stringify([qid, relevantOf(grades)]))
  return hash.digest('hex')
}

const digestOf = (value: object): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16)
