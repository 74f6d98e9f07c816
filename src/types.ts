/**
 * The core types: names from trec_eval, BEIR and the papers. Nothing here exists at run time.
 *
 * `docid`, `qid`, `k`, `rank` (from 1), `score` (higher is better), `run`, `qrels`, `hits` mean what they mean there.
 */

/** One message of the conversation before the current question. `agent` answers the user. */
export interface Turn {
  readonly role: 'user' | 'agent'
  readonly text: string
}

/** A turn as callers may pass it: `assistant`, as chat servers say, means `agent`. */
export interface GivenTurn {
  readonly role: Turn['role'] | 'assistant'
  readonly text: string
}

/** The user's question. */
export interface Query {
  /** Identifier in a test collection; absent in production. */
  readonly qid?: string
  /** The user's words, plain text: nothing in them is syntax. */
  readonly text: string
  /** The conversation before `text`, oldest turn first. */
  readonly history?: readonly Turn[]
  /**
   * What the search is for: the task behind the question, or an agent's reasoning, in plain text. It is not searched. Policies
   * that ask a language model show it the last 6,000 characters.
   */
  readonly intent?: string
  /** Passed to every retriever unchanged, in the retriever's own language. */
  readonly filter?: unknown
  /** How many hits are wanted. Default: the optimizer's `k` (10). */
  readonly k?: number
}

/** A query as callers may pass it. */
export interface GivenQuery extends Omit<Query, 'history'> {
  readonly history?: readonly GivenTurn[]
}

/** A value of a field, as conditions compare it. Types count: 7 is not "7". */
export type FieldValue = string | number | boolean

/**
 * A condition on one field of documents, in no engine's language: all of its parts must hold. A document without the field meets
 * only `not`. Of a list, one element must meet it. Texts are ordered by code unit, as ISO dates are.
 */
export interface Condition {
  /** A key of the metadata, or a path of keys with dots; before a cluster, a field of its mapping. */
  readonly field: string
  /** One of these values. */
  readonly is?: readonly FieldValue[]
  /** None of these values. */
  readonly not?: readonly FieldValue[]
  readonly gt?: string | number
  readonly gte?: string | number
  readonly lt?: string | number
  readonly lte?: string | number
}

/** What a search gives up of what was asked for, once nothing was found that has all of it. */
export interface Relaxation {
  /** How many of its words a document must have, of a search that wants more of them. Default: as many as it wants. */
  readonly words?: 'all but one' | 'any'
  /** Whether words that are spelled nearly alike count, too. Default: no. */
  readonly near?: true
  /** Fields whose conditions in the filter are left out. Default: none. */
  readonly without?: readonly string[]
  /** Whether the text is one word of the query, searched only to learn whether there is a document with it. Default: no. */
  readonly alone?: true
}

/** One text that is searched. */
export interface SubQuery {
  readonly text: string
  /** The round that searched it: 0 for the original query, 1 and up for what a policy retrieves. */
  readonly round: number
  /** The docid of the document that it was made from. */
  readonly from?: string
  /** Conditions beside the request's filter: only documents that meet all of them are hits. Default: none. */
  readonly where?: readonly Condition[]
  /** What of the request need not hold. Default: all of it must. */
  readonly relaxed?: Relaxation
}

/** How a retriever compares texts: by words, by vectors, or by learned term weights. */
export type RetrieverKind = 'lexical' | 'dense' | 'sparse'

/** A document as it is indexed. */
export interface Document {
  readonly docid: string
  readonly title?: string
  readonly text: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** One list's contribution to a fused hit: the values that entered the fusion method. */
export interface Contribution {
  readonly retriever: string
  readonly subQuery: SubQuery
  /** Rank in that list, from 1, after duplicates inside the list were collapsed. */
  readonly rank: number
  /** Score in that list, as the retriever returned it. */
  readonly score: number
  /** The normalized score, if the method normalizes. */
  readonly normalized?: number
  /** The list's weight, if the method takes weights. */
  readonly weight?: number
  /** This list's part of the fused score, 0 to 1; all shares of a hit sum to 1. Additive methods only. */
  readonly share?: number
}

/** One document in a ranking. */
export interface Hit {
  readonly docid: string
  /** Higher is better. In a fused list: the fusion method's own value. */
  readonly score: number
  /** Position in its list, from 1. */
  readonly rank: number
  readonly document?: Document
  readonly provenance?: readonly Contribution[]
  /** Its fused rank and score, if it was re-ranked afterwards. */
  readonly fused?: { readonly rank: number; readonly score: number }
  /** The probability that it is relevant, from 0 to 1, comparable between queries. Only from re-rankers that know it. */
  readonly confidence?: number
  /** What its age multiplied 1/rank by, from 0 to 1, if hits were ordered by age: `recency / score` is the rank before that. */
  readonly recency?: number
}

/** The hits of one retriever for one sub-query, best first. */
export interface RankedList {
  readonly retriever: string
  /** As the retriever declares it. Default: `lexical`. */
  readonly kind?: RetrieverKind
  readonly subQuery: SubQuery
  readonly hits: readonly Hit[]
}

/**
 * One sub-query at one retriever: its list or its error. An empty list is a result, not an error. `incomplete` is the reason
 * that the backend gives if hits may be missing: failed shards, a timeout.
 */
export type Leg = {
  readonly retriever: string
  readonly kind?: RetrieverKind
  readonly subQuery: SubQuery
} & (
  | { readonly hits: readonly Hit[]; readonly incomplete?: string; readonly error?: never }
  | { readonly error: Error; readonly hits?: never }
)

export interface RetrieveOptions {
  /** Depth: the maximum number of hits of a leg. */
  readonly k: number
  readonly filter?: unknown
  /** Aborts at the deadline, or earlier if the answer is no longer needed. */
  readonly signal?: AbortSignal
  /** Milliseconds until the deadline, for backends that can be told. */
  readonly timeout?: number
}

/**
 * A search backend. Batch-first: all sub-queries of a request come in one call, so that a cluster gets one `_msearch`.
 * It returns one leg for each sub-query, in their order, or several (lexical and vector legs of one cluster), each under
 * its own `retriever` name. A leg that failed carries its error; a rejected promise means that the whole batch failed.
 */
export interface Retriever {
  readonly name: string
  /** Default: `lexical`. */
  readonly kind?: RetrieverKind
  /** Its lists, if it answers several for each sub-query. Default: one list of its own name and kind. */
  readonly legs?: readonly { readonly name: string; readonly kind?: RetrieverKind }[]
  /** Whether its hits come with their documents. Default: unknown; the first search shows it. */
  readonly bringsDocuments?: boolean
  /** Finds documents that its hits come without. Default: it cannot. */
  readonly documents?: FindDocuments
  /**
   * Whether it applies the conditions of `SubQuery.where`, beside the filter and never in its place. Default: no, and it never gets
   * a sub-query that has some.
   */
  readonly narrows?: boolean
  /**
   * Whether it applies `SubQuery.relaxed`, as far as it means anything to it. Default: no, and it never gets a sub-query that has it.
   */
  readonly relaxes?: boolean
  /** Finds the values that fields have in its index. Default: it cannot. */
  readonly values?: FindValues
  retrieve(subQueries: readonly SubQuery[], options: RetrieveOptions): Promise<readonly Leg[]>
  close?(): Promise<void>
}

/** Finds documents by docid: one for each docid, in their order, `undefined` for a docid without a document. */
export type FindDocuments = (
  docids: readonly string[],
  options: { readonly signal: AbortSignal },
) => Promise<readonly (Document | undefined)[]>

/** A field, and what to find out about it: its values, or the least and the greatest of them. */
export interface ValuesWanted {
  readonly field: string
  readonly of: 'values' | 'range'
}

/** What the documents of an index have in a field. Empty if none has it. */
export interface FieldValues {
  /** Different values, at most 10,000: then the most frequent ones. */
  readonly values?: readonly FieldValue[]
  /** Dates are texts in ISO's form. */
  readonly min?: string | number
  readonly max?: string | number
}

/** Finds what the documents that pass the filter have in these fields: one answer for each, in their order. */
export type FindValues = (
  wanted: readonly ValuesWanted[],
  options: { readonly filter?: unknown; readonly signal: AbortSignal },
) => Promise<readonly FieldValues[]>

/** Words of a query that were read as a condition, and what became of it. */
export interface ReadFilter {
  /** As the query has them. */
  readonly words: string
  readonly condition: Condition
  /**
   * Why the hits are not ordered by it: nothing passes it (`empty`), no retriever can apply it (`unsupported`), or its search failed
   * or was late (`failed`). Absent if they are.
   */
  readonly dropped?: 'empty' | 'unsupported' | 'failed'
}

/** How lists are fused. */
export interface FuseOptions {
  /** How many fused hits are returned. Default: all. */
  readonly k?: number
  /** How many hits of each list take part. Default: all. */
  readonly depth?: number
  /** A weight for each list, in the order of the lists. An error for methods that cannot use weights. */
  readonly weights?: readonly number[]
  /** Score normalization of each list; a name of `fusion/normalize`. Default: the method's own. */
  readonly norm?: string
  /** Whether hits carry their provenance. Default: false. */
  readonly provenance?: boolean
}

/** One document in one list, as an additive method's `term` sees it. */
export interface Term {
  readonly rank: number
  /** Normalized if the fusion normalizes, else raw. */
  readonly score: number
  readonly weight: number
}

/** A fusion method. The file of its name has the factory. */
export interface Fusion {
  readonly name: string
  fuse(lists: readonly RankedList[], options?: FuseOptions): Hit[]
  /**
   * What one list adds to the fused score. Only additive methods have it: their fused score is the sum of the terms, from
   * which shares and `explain` are computed.
   */
  readonly term?: (entry: Term) => number
}

/** A chat message in the protocol of OpenAI-compatible servers. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

export interface Tokens {
  readonly prompt: number
  readonly completion: number
}

export interface Completion {
  readonly text: string
  readonly tokens: Tokens
  /** What a cache in front of the model had of it. Absent if none was asked. */
  readonly cache?: CacheOutcome
}

/**
 * What a cache had: the value (`hit`), nothing (`miss`), the same work under way for another search of the same caller (`joined`), or
 * no answer in time (`failed`).
 */
export type CacheOutcome = 'hit' | 'miss' | 'joined' | 'failed'

/** What a prompt asks for. What the user has set about a model wins over it. */
export interface CompleteOptions {
  readonly signal?: AbortSignal
  /** Default: the model's own setting. */
  readonly temperature?: number
  /** Nucleus sampling, above 0 and up to 1. Default: the model's own setting. */
  readonly topP?: number
  /** Most tokens of the answer. Default: the model's own setting. */
  readonly maxTokens?: number
  /** Texts that end the answer; they are no part of it. */
  readonly stop?: readonly string[]
  /** Called with each piece of the answer as it is written. A model that cannot stream ignores it. */
  readonly onText?: (piece: string) => void
}

/** A chat model. It rejects if it has no answer, and never returns an empty one instead. */
export interface ChatModel {
  readonly name: string
  /**
   * What decides its answers beside its name, such as its server and its settings, as one text. Caches tell models of one name apart
   * by it. Default: nothing does.
   */
  readonly identity?: string
  complete(messages: readonly Message[], options?: CompleteOptions): Promise<Completion>
}

export interface EmbedOptions {
  /** Many embedders put different instructions before queries and documents. */
  readonly kind: 'query' | 'document'
  readonly signal?: AbortSignal
}

/** A text embedder: a unit-length vector for each text, in their order. */
export interface Embedder {
  /** Names the vectors of documents: an index is searched with an embedder of the same name. */
  readonly name: string
  /**
   * What decides its vectors beside its name, such as its server and its instruction for queries, as one text. Caches tell embedders
   * of one name apart by it. Default: nothing does.
   */
  readonly identity?: string
  readonly dimensions: number
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]>
  close?(): Promise<void>
}

/** Word → weight, above 0. A model of learned sparse retrieval also weighs words that the text does not have. */
export type WordWeights = ReadonlyMap<string, number>

/** A learned sparse encoder, such as SPLADE: the weights of words for each text, in their order. */
export interface SparseEncoder {
  readonly name: string
  encode(texts: readonly string[], options: EmbedOptions): Promise<readonly WordWeights[]>
  close?(): Promise<void>
}

/** qid → hits, best first. */
export type Run = ReadonlyMap<string, readonly Hit[]>

/** qid → docid → grade. A document with a grade of 0 or below is judged and not relevant. */
export type Qrels = ReadonlyMap<string, ReadonlyMap<string, number>>

/**
 * A decision: search the original query `as-is`, one other text instead (`rewrite`), or several texts (`decompose`).
 */
export type DecisionKind = 'as-is' | 'rewrite' | 'decompose'

/** An error as a trace keeps it: the code of a `QuerentError`, or the name of a foreign error, and its message. */
export interface Failure {
  readonly code: string
  readonly message: string
}

/** A prompt without a usable answer. */
export interface FailedPrompt {
  readonly prompt: string
  readonly error: Failure
}

/** One leg as a trace keeps it. `failed`: the backend's error; `late`: past the deadline; `aborted`: no longer needed. */
export interface LegTrace {
  readonly retriever: string
  readonly kind?: RetrieverKind
  readonly subQuery: SubQuery
  readonly status: 'ok' | 'failed' | 'late' | 'aborted'
  readonly ms: number
  /** The retriever's list, best first, without documents. Only if `ok`. */
  readonly hits?: readonly { readonly docid: string; readonly score: number }[]
  /** The reason that the backend gives if hits may be missing. */
  readonly incomplete?: string
  readonly error?: Failure
}

/** One thing that happened during a search. `startMs` counts from the beginning of the search. */
export type Step =
  | {
      readonly type: 'retrieve'
      /** 0 is the original query, 1 and up are the rounds of the policy. */
      readonly round: number
      /** Why the policy retrieves; absent for round 0. */
      readonly reason?: string
      /** All texts of the request, those that do not vote among them. */
      readonly subQueries: readonly SubQuery[]
      readonly startMs: number
      readonly ms: number
      readonly legs: readonly LegTrace[]
    }
  | {
      readonly type: 'ask'
      readonly prompt: string
      /** Whether the model was to write the search's answer. Absent if not. */
      readonly final?: true
      readonly model: string
      readonly startMs: number
      readonly ms: number
      /** 1, or 2 if the model was asked to repair its answer. */
      readonly attempts: number
      readonly tokens: Tokens
      /** What they cost in dollars, if the model has a price. */
      readonly usd?: number
      /** What a cache had of the model's last answer, if one was asked. */
      readonly cache?: CacheOutcome
      /** The model's last answer, if there was one. */
      readonly output?: string
      readonly error?: Failure
    }
  | {
      readonly type: 'decide'
      readonly startMs: number
      readonly kind: DecisionKind
      readonly reason: string
      /** The policy's own account of the decision: JSON, in a form of its own. */
      readonly details?: unknown
    }
  | {
      readonly type: 'fuse'
      readonly method: string
      readonly norm?: string
      readonly startMs: number
      readonly ms: number
      /** The lists that took part, in the order in which the method got them. */
      readonly lists: readonly { readonly retriever: string; readonly subQuery: SubQuery }[]
      /** The number of fused hits, at most k. */
      readonly hits: number
    }
  | {
      readonly type: 'rerank'
      readonly startMs: number
      readonly ms: number
      /** How many documents were read and compared. */
      readonly pool: number
      /** The rewritten query that documents were compared with, if it was not the original one. */
      readonly question?: string
      /** Why the fused order was kept, if it was. */
      readonly error?: Failure
    }
  | {
      /** Words of the query that were read as filters. */
      readonly type: 'filter'
      readonly startMs: number
      readonly read: readonly ReadFilter[]
      /** Why the values of the index are not known, if they are not. */
      readonly error?: Failure
    }
  | {
      /** The original query's results were returned instead of the policy's. */
      readonly type: 'fallback'
      readonly startMs: number
      readonly error: Failure
    }

/** Milliseconds. `deciding` and `retrieving` overlap: the original query is searched while the policy decides. */
export interface Times {
  readonly total: number
  /** From the start of the search to the decision. 0 if the policy decides nothing. */
  readonly deciding: number
  /** While at least one request was under way. */
  readonly retrieving: number
  readonly fusing: number
  readonly reranking: number
}

/** A part of the budget that can end a search; see `Budget`. */
export type BudgetPart = 'rounds' | 'subQueries' | 'asks' | 'tokens' | 'usd' | 'timeout'

/** Why a search found nothing, or too little, and what its hits are instead. */
export interface NothingFound {
  readonly reason: string
  /** Words of the query that no document has which it may find. Absent if there are none, or the filter leaves nothing. */
  readonly missing?: readonly string[]
  /** What the hits have of what was asked for. Absent if nothing that is like it was found, either. */
  readonly shown?: string
  /** Other words that do find something. */
  readonly query?: string
}

/** The result of a policy. */
export interface Outcome {
  /** May be empty beside an answer: the result then has the hits of the original query. */
  readonly hits: readonly Hit[]
  /** Untrusted text of a model that read documents. Show it as plain text, not as Markdown or HTML: it may have links of theirs. */
  readonly answer?: string
  /** The docids of the documents that the answer was read from, in the order of their use. */
  readonly citations?: readonly string[]
  /** The way that a policy with several ways took, in its paper's words, such as `[Planning]`. Evaluations group by it. */
  readonly strategy?: string
  /**
   * Whether there is no answer because the documents do not tell it. Default: whether the last prompt whose text is the answer has
   * succeeded without one.
   */
  readonly unanswered?: boolean
  /** What of the budget was spent when the policy wanted more. Default: what its tools refused, or the time. */
  readonly endedBy?: BudgetPart
  /** Set if nothing was found that has all of what was asked for. */
  readonly nothingFound?: NothingFound
}

/** The record of one search. Training reads traces back; their JSON Schema is published as `querent/trace.schema.json`. */
export interface Trace {
  readonly version: 2
  readonly query: Query
  readonly policy: string
  /** The decision that took effect: `as-is` after a fallback. */
  readonly kind: DecisionKind
  readonly reason: string
  readonly subQueries: readonly SubQuery[]
  /** Whether a leg that should have taken part is missing or incomplete: see the legs of the steps. */
  readonly partial: boolean
  /** Why the original query's results were returned instead of the policy's; absent if they were not. */
  readonly fallback?: Failure
  readonly steps: readonly Step[]
  readonly times: Times
  readonly tokens: Tokens
  /** What chat models cost in dollars, if a prompt was asked of a model with a price. */
  readonly usd?: number
  readonly outcome: Outcome
}

export interface SearchResult {
  readonly hits: readonly Hit[]
  readonly trace: Trace
  /** Untrusted text of a model that read documents. Show it as plain text, not as Markdown or HTML: it may have links of theirs. */
  readonly answer?: string
  /** The docids that the answer was read from, in the order of their use. Only beside an answer. */
  readonly citations?: readonly string[]
  /** Whether there is no answer because the documents do not tell it. Not if the model has failed, or none was wanted. */
  readonly unanswered?: true
  /** What of the budget was spent when the search wanted more, so that it ended with what it had. Absent if the budget sufficed. */
  readonly endedBy?: BudgetPart
  /** The probability that at least one hit is relevant, by their confidences, before `minConfidence` leaves any out. */
  readonly answerable?: number
  /** The prompts that failed, which the search went on or fell back without. Absent if none did. */
  readonly failedPrompts?: readonly FailedPrompt[]
  /** With `relax`, if nothing was found that has all of what was asked for: why, and what the hits are instead. */
  readonly nothingFound?: NothingFound
}
