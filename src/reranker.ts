/** What a re-ranker is: the optional last step of a search. */
import type { Document, Hit, Query, RankedList } from './types.ts'

/** The texts at hand, by docid. */
export type DocumentOf = (docid: string) => Document | undefined

export interface Reranker {
  /** `true` where it is of no use without texts. Default: it may be. */
  readonly reads?: boolean
  /**
   * The fused hits and the pool's documents in a new order, ranks from 1: first the documents of the pool whose text is at
   * hand, with new scores; then the other fused hits in the order they had. A hit keeps in `fused` what fusion gave it;
   * one that the lists have and fusion left out has no such field. What the original query found first by far, or by its
   * title, stays first.
   *
   * @param fused best first, with any scores
   */
  rerank(
    query: Query,
    lists: readonly RankedList[],
    fused: readonly Hit[],
    documentOf: DocumentOf,
  ): readonly Hit[] | Promise<readonly Hit[]>
  /** How many fused hits it wants to see, where the caller wants fewer. Default: 100. */
  readonly window?: number
  /** The docids of the documents whose texts `rerank` asks for. Default: those of the fused hits. */
  needs?(query: Query, lists: readonly RankedList[]): readonly string[]
  /** Why the documents have their places, best first. Default: it does not say. */
  explain?(query: Query, lists: readonly RankedList[], documentOf: DocumentOf): readonly RerankReason[]
}

export interface RerankReason {
  readonly docid: string
  readonly score: number
  /** The probability of relevance that the document has by itself. */
  readonly alone: number
  /** What the first few together changed about the score. */
  readonly together: number
  /** What moved the document, the strongest first: the feature, its value, and what it added to the score. */
  readonly inputs: readonly { readonly name: string; readonly value: number; readonly part: number }[]
}
