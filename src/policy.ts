/** What a policy is, and what it works with. */
import type { Budget, FullBudget } from './budget.ts'
import type { Prompt } from './prompt.ts'
import type { DocumentOf, Reranker } from './reranker.ts'
import type {
  Condition,
  DecisionKind,
  FieldValues,
  Hit,
  Leg,
  Outcome,
  Query,
  RankedList,
  ReadFilter,
  Relaxation,
  ValuesWanted,
} from './types.ts'

/** A decision procedure: a plain async function that reads as its paper's algorithm. */
export interface Policy {
  readonly name: string
  /** What it needs. Default: one round, 15 sub-queries, 8 prompts, 5 s. The optimizer's own budget is the ceiling. */
  readonly budget?: Budget
  /** Whether it reads documents; `true` if it is of no use without them. Default: it may read them. */
  readonly reads?: boolean
  /** The names of all its prompts. The optimizer checks before the first search that a chat model serves each. */
  readonly prompts?: readonly string[]
  /** Those of its prompts that training is for: the paper's agents. The others are its environment. Default: none. */
  readonly agents?: readonly string[]
  /** Decides, retrieves and fuses. If it rejects or is late, the caller gets the original query's results. */
  run(query: Query, tools: Tools): Promise<Outcome>
  /** Ends what it keeps open, such as threads. */
  close?(): Promise<void>
}

/** A text to search. */
export interface SearchText {
  readonly text: string
  /** The docid of the document that it was made from. */
  readonly from?: string
  /**
   * `false`: the text is searched in the same request and is no part of the decision. Its legs are not returned: only a re-ranker, which
   * sees the lists of all rounds, has its documents. Default: true.
   */
  readonly votes?: boolean
}

export interface RetrieveRequest {
  /** Why, for the trace. */
  readonly reason: string
  /** A filter in place of the query's, for this request. It must hold whatever the query's filter demands. */
  readonly filter?: unknown
}

export interface FuseRequest {
  /** How many hits. Default: as many as the caller wants, or as the re-ranker wants to see. */
  readonly k?: number
  /**
   * Docids that come first, in this order; those that no list has are left out. All hits then have the score 1/rank and keep
   * the fusion's own rank and score in `fused`.
   */
  readonly first?: FirstDocids
}

/** Docids that come first, in this order. Those of a set come in the order that the hits have without this. */
export type FirstDocids = readonly (string | ReadonlySet<string>)[]

export interface RerankRequest {
  /** The text to compare documents with, in place of the query and its conversation. */
  readonly question?: string | undefined
  /** Re-ranking sees the lists of these texts alone. Default: those of all rounds. */
  readonly texts?: readonly string[] | undefined
  /** The lists that re-ranking sees, in place of those. */
  readonly lists?: readonly RankedList[] | undefined
  /** How many hits. Default: as many as the caller wants. */
  readonly k?: number | undefined
  /** As in `FuseRequest`. Fused hits among them stay, even if the re-ranker leaves them out. */
  readonly first?: FirstDocids
}

/** A text that is searched under more conditions than were asked for, or under fewer. */
export interface NarrowedText {
  readonly text: string
  readonly where?: readonly Condition[]
  readonly relaxed?: Relaxation
}

/** The tools of one search. They write its trace and keep its budget. */
export interface Tools {
  /** Aborts when the search is over, for whatever reason: a policy's own work ends with it. */
  readonly signal: AbortSignal
  /** How many hits the caller wants. */
  readonly k: number
  /** Whether the caller can take an answer. If not, a policy need not write one. */
  readonly answers: boolean
  /** What the search may cost in all. */
  readonly budget: FullBudget
  /** What is left of it now. */
  left(): FullBudget
  /**
   * Runs a prompt on the chat model that serves it.
   *
   * @throws QuerentError `budget-exceeded` when the budget's `asks` are spent; `deadline` after its `askTimeout`;
   *   `bad-completion`; the model's own error
   */
  ask<Input, Output>(prompt: Prompt<Input, Output>, input: Input): Promise<Output>
  /** The legs of the original query: round 0. They have been under way since the search began. */
  original(): Promise<readonly Leg[]>
  /**
   * Records a decision that the texts retrieved do not tell by themselves, or why the query is left alone. Optional: without
   * it the decision is what was retrieved. The last one counts.
   *
   * @param details the policy's own account: JSON, for the trace
   */
  decide(kind: DecisionKind, reason: string, details?: unknown): void
  /**
   * Searches texts on all retrievers in one request, the next round. Repeats are searched once; a text that was searched
   * before (the original query, too) is answered from what came. A call that needs no request is no round. No texts at all
   * means the original query.
   *
   * @throws QuerentError `budget-exceeded` when the budget's `rounds` or `subQueries`, those that do not vote included, are spent
   */
  retrieve(texts: readonly SearchText[], request: RetrieveRequest): Promise<readonly Leg[]>
  /**
   * Searches texts under conditions beside the query's filter, or giving up some, in one request to the retrievers that can. It is no
   * decision, and no round of the budget: a search may do it three times, with 16 texts each time. Re-ranking does not see these lists.
   *
   * @param reason for the trace. Default: filters were read out of the query
   * @returns no legs if no retriever can
   * @throws QuerentError `budget-exceeded` for a fourth request, or for more texts
   */
  narrow(texts: readonly NarrowedText[], reason?: string): Promise<readonly Leg[]>
  /**
   * What documents that pass the query's filter have in these fields: one answer for each, from all retrievers that know it.
   *
   * @throws a retriever's own error
   */
  values(wanted: readonly ValuesWanted[]): Promise<readonly FieldValues[]>
  /** Records which words were read as filters. @param error why values are not known */
  filtered(read: readonly ReadFilter[], error?: Error): void
  /** Documents by docid, as far as they can be found: in the hits so far, else where the optimizer finds them. */
  documents(docids: readonly string[]): Promise<DocumentOf>
  /**
   * Fuses the legs that have an answer. The result is labeled partial if one has none, or an incomplete one.
   *
   * @throws the first leg's own error if no leg has an answer
   */
  fuse(legs: readonly Leg[], request?: FuseRequest): readonly Hit[]
  /**
   * Has a re-ranker order hits, with the lists of all rounds: as many hits as the caller wants. If it fails, the hits stay as they are,
   * and the trace says why.
   */
  rerank(reranker: Reranker, hits: readonly Hit[], request?: RerankRequest): Promise<readonly Hit[]>
}
