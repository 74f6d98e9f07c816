/** A re-ranker: the optional last step of a search. */
import type { Prompt } from './prompt.ts'
import type { ChatModel, Document, Hit, Query, RankedList } from './types.ts'

/** Documents by docid, as far as they were found. */
export type DocumentOf = (docid: string) => Document | undefined

/** What a search gives to its re-ranker. */
export interface RerankTools {
  /** Aborts when the search is over: nothing that was begun should go on. */
  readonly signal?: AbortSignal
  /**
   * Runs a prompt on a model, and writes it into the trace of the search. It does not count against `asks` of the budget.
   *
   * @param timeout milliseconds
   * @throws QuerentError `deadline` after `timeout`; `bad-completion`; `budget-exceeded` if the budget is spent; `bad-config` if the budget
   *   is in dollars and the model has no price; the model's own error
   */
  ask?<Input, Output>(
    prompt: Prompt<Input, Output>,
    input: Input,
    model: ChatModel,
    timeout: number,
  ): Promise<Output>
}

export interface Reranker {
  /** `true` if it is of no use without documents. Default: it may be. */
  readonly reads?: boolean
  /**
   * The hits in a new order, with new scores and ranks from 1. It may bring in documents that the lists have and fusion left
   * out. A hit keeps its fused rank and score in `fused`.
   *
   * @param fused best first, with any scores
   */
  rerank(
    query: Query,
    lists: readonly RankedList[],
    fused: readonly Hit[],
    documentOf: DocumentOf,
    tools?: RerankTools,
  ): readonly Hit[] | Promise<readonly Hit[]>
  /** How many fused hits it sees at least, however few the caller wants. Default: 100. */
  readonly window?: number
  /**
   * The chat models that it asks. Each needs a price where the budget is in dollars: without one, `createOptimizer` throws
   * `bad-config`. Default: none are known, and asking a model without a price fails then.
   */
  readonly models?: readonly ChatModel[]
  /**
   * `true` if it mostly waits for a server: many searches may then run at a time. Default: it computes in this process.
   */
  readonly waits?: boolean
  /** `true` if texts of documents stay in this process. Default: they may leave it, so before an engine fewer of them are read. */
  readonly stays?: boolean
  /** The docids of the documents whose texts `rerank` asks for. Default: those of the fused hits. */
  needs?(query: Query, lists: readonly RankedList[], fused: readonly Hit[]): readonly string[]
  /**
   * Why `rerank` gives the documents their places, best first. It does not know whether `rerank` kept the fused order. Default: it
   * cannot explain.
   */
  explain?(query: Query, lists: readonly RankedList[], documentOf: DocumentOf): readonly RerankReason[]
  /** Releases what it keeps open, such as a model. */
  close?(): Promise<void>
}

export interface RerankReason {
  readonly docid: string
  readonly score: number
  /** The probability that the document is relevant, judged by itself. */
  readonly alone: number
  /** What the comparison of the first few documents with each other added to the score. */
  readonly together: number
  /** The features that moved the document, the strongest first: name, value, and what it added to the score. */
  readonly inputs: readonly { readonly name: string; readonly value: number; readonly part: number }[]
}
