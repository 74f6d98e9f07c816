/**
 * An optimizer as a retriever of LangChain.js.
 *
 * @module querent/langchain
 */
import type { Document as Passage } from '@langchain/core/documents'
import type { BaseRetriever, BaseRetrieverInput } from '@langchain/core/retrievers'
import { z } from 'zod'
import { count, having, parseConfig } from '../../../src/config.ts'
import { optionalPackages } from '../../../src/runtime/optional-package.ts'
import type { Hit } from '../../../src/types.ts'
import type { Searcher } from '../http/options.ts'

export interface LangchainRetrieverOptions extends BaseRetrieverInput {
  /** Searches for all callers. */
  readonly optimizer: Searcher
  /** Number of documents. Default: the optimizer's. */
  readonly k?: number | undefined
  /** Passed to every retriever unchanged. Default: none. */
  readonly filter?: unknown
}

const ownShape = z.strictObject({
  optimizer: having<Searcher>('an optimizer', 'search'),
  k: count.optional(),
  filter: z.unknown().optional(),
})

/**
 * Makes a retriever. Its documents have the docid as `id`, the text as `pageContent`, and in `metadata` that of the document
 * with `title`, `rank`, `score` and, if known, `confidence`. Aborting the `signal` of a call, and its `timeout`, end the search.
 *
 * @throws QuerentError `bad-config` that names every wrong option; `missing-package`
 */
export async function langchainRetriever(options: LangchainRetrieverOptions): Promise<BaseRetriever> {
  const { optimizer, k, filter, ...fields } = options
  const given = parseConfig(ownShape, { optimizer, k, filter }, 'langchainRetriever')
  const [retrievers, runnables, documents] = await optionalPackages([
    { name: '@langchain/core', load: () => import('@langchain/core/retrievers') },
    { name: '@langchain/core', load: () => import('@langchain/core/runnables') },
    { name: '@langchain/core', load: () => import('@langchain/core/documents') },
  ])

  // LangChain's retrievers are subclasses. The signal of a call does not reach `_getRelevantDocuments`, so that each call which has
  // one gets a retriever of its own.
  class QuerentRetriever extends retrievers.BaseRetriever {
    static override lc_name(): string {
      return 'QuerentRetriever'
    }

    override lc_namespace = ['querent', 'retrievers']
    readonly #signal: AbortSignal | undefined

    constructor(signal?: AbortSignal) {
      super(fields)
      this.#signal = signal
    }

    override async invoke(...[input, config]: Parameters<BaseRetriever['invoke']>): Promise<Passage[]> {
      const { signal } = runnables.ensureConfig(config)
      const retriever = signal === undefined ? this : new QuerentRetriever(signal)
      return super.invoke.call(retriever, input, config)
    }

    override async _getRelevantDocuments(text: string): Promise<Passage[]> {
      const query = { text, ...(given.filter !== undefined && { filter: given.filter }) }
      const wanted = { k: given.k, signal: this.#signal, answer: false, documents: true }
      const { hits } = await given.optimizer.search(query, wanted)
      return hits.map((hit) => new documents.Document(passageOf(hit)))
    }
  }
  return new QuerentRetriever()
}

const passageOf = ({ docid, rank, score, confidence, document }: Hit) => ({
  id: docid,
  pageContent: document?.text ?? '',
  metadata: {
    ...document?.metadata,
    ...(document?.title !== undefined && { title: document.title }),
    rank,
    score,
    ...(confidence !== undefined && { confidence }),
  },
})
