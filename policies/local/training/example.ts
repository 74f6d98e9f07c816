/** A judged query with the results of its collection's retrievers: the input of every step of training. */

import { legKind } from '../../../src/check-legs.ts'
import type { SearchText } from '../../../src/policy.ts'
import type { DocumentOf } from '../../../src/reranker.ts'
import { yieldAt } from '../../../src/runtime/yield.ts'
import type {
  Document,
  FindDocuments,
  Leg,
  Qrels,
  Query,
  RankedList,
  Retriever,
  SubQuery,
} from '../../../src/types.ts'
import { poolDocids } from '../rerank/pool.ts'
import { joiningSearches, partsOf } from './joined-searches.ts'

/** Training data: judged queries and the retrievers that search for them. */
export interface TrainingCollection {
  /** Unique among the collections of a training. */
  readonly name: string
  readonly queries: readonly Query[]
  readonly qrels: Qrels
  readonly retrievers: readonly Retriever[]
  readonly documents: FindDocuments
  /** What tells its documents from those of other collections. Collections over the same documents share it. Default: the name. */
  readonly corpusName?: string | undefined
  /**
   * Returns a key for queries that must be in the same fold, for example their conversation. Queries with a common relevant
   * document are always in the same fold, even if they belong to different collections over the same documents.
   */
  readonly groupOf?: ((query: Query) => string | undefined) | undefined
}

export interface Example {
  readonly collection: string
  readonly query: Query
  /** docid → grade; all above 0. */
  readonly golds: ReadonlyMap<string, number>
  /** Examples with a common key must be in the same fold. */
  readonly keys: readonly string[]
  /** The lists of the original query, one per retriever. */
  readonly lists: readonly RankedList[]
  readonly documentOf: DocumentOf
  /**
   * The lists of each sub-query, one per retriever, in the order of `texts`. Each has `k` hits; by default as many as the
   * example's lists.
   */
  search(texts: readonly SearchText[], k?: number): Promise<readonly (readonly RankedList[])[]>
  /** For each name, the docids of the first retriever's first `count` hits. One retriever is enough to see where a name leads. */
  lookUp(names: readonly string[], count: number): Promise<readonly (readonly string[])[]>
  /** Reads the documents of these lists for `documentOf`. Reading other lists may evict them. */
  read(lists: readonly RankedList[]): Promise<void>
}

export interface CollectOptions {
  /** The maximum number of hits of a list. Default: 100. */
  readonly depth?: number
  /**
   * The maximum number of cached documents of a collection. Above it, a read evicts the documents that it does not need. Default:
   * 100,000.
   */
  readonly maxDocuments?: number
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

/**
 * Searches every judged query unchanged. Leaves out queries without a relevant document.
 *
 * @throws QuerentError `aborted`; the error of a retriever
 */
export async function collectExamples(
  collections: readonly TrainingCollection[],
  { depth = 100, maxDocuments = 100_000, signal, onProgress }: CollectOptions = {},
): Promise<Example[]> {
  const examples: Example[] = []
  const total = collections.reduce((sum, { queries }) => sum + queries.length, 0)
  let done = 0
  for (const collection of collections) {
    const make = exampleMaker(collection, depth, maxDocuments, signal)
    for (const [, queries] of partsOf(collection.queries)) {
      await yieldAt(0, signal)
      const judged = queries.map((query) => ({ query, golds: relevantOf(collection.qrels, query) }))
      const relevant = judged.filter(({ golds }) => golds.size > 0)
      examples.push(...(await Promise.all(relevant.map(({ query, golds }) => make(query, golds)))))
      done += queries.length
      onProgress?.(done, total)
    }
  }
  return examples
}

function relevantOf(qrels: Qrels, { qid }: Query): Map<string, number> {
  return new Map([...(qrels.get(qid ?? '') ?? [])].filter(([, grade]) => grade > 0))
}

function exampleMaker(
  { name, retrievers, documents, corpusName = name, groupOf }: TrainingCollection,
  depth: number,
  maxDocuments: number,
  signal: AbortSignal | undefined,
): (query: Query, golds: ReadonlyMap<string, number>) => Promise<Example> {
  const known = new Map<string, Document>()
  const documentOf: DocumentOf = (docid) => known.get(docid)
  const scope = signal ?? new AbortController().signal
  const searched = retrievers.map((retriever) => ({
    retriever,
    retrieve: joiningSearches(retriever, scope),
  }))

  async function search(
    query: Query,
    subQueries: readonly SubQuery[],
    k = depth,
    queried = searched,
  ): Promise<RankedList[][]> {
    if (subQueries.length === 0) return []
    const options = { k, filter: query.filter }
    const answers = await Promise.all(queried.map(({ retrieve }) => retrieve(subQueries, options)))
    return subQueries.map((subQuery) =>
      answers.flatMap((legs, at) =>
        legs
          .filter((leg) => leg.subQuery.text === subQuery.text)
          .map((leg) => listOf(queried[at]!.retriever, leg)),
      ),
    )
  }

  async function read(lists: readonly RankedList[]): Promise<void> {
    for (const { hits } of lists)
      for (const { docid, document } of hits) if (document !== undefined) known.set(docid, document)
    const wanted = new Set(lists.flatMap(({ hits }) => hits.map(({ docid }) => docid)))
    if (known.size > maxDocuments)
      for (const docid of known.keys()) if (!wanted.has(docid)) known.delete(docid)
    const missing = [...wanted].filter((docid) => !known.has(docid))
    if (missing.length === 0) return
    const found = await documents(missing, { signal: scope })
    for (const [place, docid] of missing.entries()) {
      const document = found[place]
      if (document !== undefined) known.set(docid, document)
    }
  }

  return async (query, golds) => {
    const [lists = []] = await search(query, [{ text: query.text, round: 0 }])
    const group = groupOf?.(query)
    const inCorpus = (what: string): string => `${corpusName} ${what}`
    return {
      collection: name,
      query,
      golds,
      keys: [
        ...[...golds.keys()].map((docid) => inCorpus(`document ${docid}`)),
        ...(group === undefined ? [] : [inCorpus(`group ${group}`)]),
      ],
      lists,
      documentOf,
      search: (texts, k) =>
        search(
          query,
          texts.map(({ votes: _, ...one }) => ({ ...one, round: 1 })),
          k,
        ),
      async lookUp(names, count) {
        const subQueries = names.map((text) => ({ text, round: 1 }))
        const found = await search(query, subQueries, count, searched.slice(0, 1))
        // A retriever may return several lists; its lexical list comes first.
        return found.map(([first]) => first?.hits.map(({ docid }) => docid) ?? [])
      },
      read: (wanted) => read(wanted),
    }
  }
}

/** @throws the leg's error: incomplete lists would teach the gaps */
function listOf(retriever: Retriever, leg: Leg): RankedList {
  if (leg.error !== undefined) throw leg.error
  const kind = leg.kind ?? legKind(retriever, leg.retriever)
  return kind === undefined ? leg : { ...leg, kind }
}

/**
 * How many documents the reader of a training caches, because it reads the same documents several times: at most about 250 MB.
 */
export const rememberedDocuments = 50_000

/**
 * Reads the documents that re-ranking or a second stage would read.
 *
 * @returns these documents and no others, as in a search: what else the training has read must not show in the features
 */
export async function readPoolOf(example: Example, lists: readonly RankedList[]): Promise<DocumentOf> {
  const wanted = new Set(poolDocids(lists, example.query.text))
  await example.read(
    lists.map((list) => ({ ...list, hits: list.hits.filter(({ docid }) => wanted.has(docid)) })),
  )
  return (docid) => (wanted.has(docid) ? example.documentOf(docid) : undefined)
}
