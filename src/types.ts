/**
 * The core types: names from trec_eval, BEIR and the papers. Nothing here exists at run time.
 *
 * `docid`, `qid`, `k`, `rank` (from 1), `score` (higher is better), `run`, `qrels`, `hits` mean what they mean there.
 */

/** One message of the conversation before the current question. `agent` is whoever answered the user. */
export interface Turn {
  readonly role: 'user' | 'agent'
  readonly text: string
}

/** A turn as callers may give it: chat servers say `assistant` for `agent`, and both mean the same. */
export interface GivenTurn {
  readonly role: Turn['role'] | 'assistant'
  readonly text: string
}

/** What the user asks. */
export interface Query {
  /** Identifier in a test collection; absent in production. */
  readonly qid?: string
  /** The user's words, plain text: nothing in them is syntax. */
  readonly text: string
  /** The conversation before `text`, oldest turn first. */
  readonly history?: readonly Turn[]
  /** Passed to every retriever as it is; its meaning is the retriever's. */
  readonly filter?: unknown
  /** How many hits are wanted. Default: the optimizer's `k` (10). */
  readonly k?: number
}

/** A query as callers may give it. */
export interface GivenQuery extends Omit<Query, 'history'> {
  readonly history?: readonly GivenTurn[]
}

/** One text that is searched. Stage 1 is made from the query, stage 2 from what stage 1 found. */
export interface SubQuery {
  readonly text: string
  readonly stage: 1 | 2
  /** The docid a stage-2 sub-query was made from. */
  readonly from?: string
}

/** A document as it is indexed. */
export interface Document {
  readonly docid: string
  readonly title?: string
  readonly text: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** What one list gave to a fused hit: the values that entered the fusion method. */
export interface Contribution {
  readonly retriever: string
  readonly subQuery: SubQuery
  /** Rank in that list, from 1, after duplicates inside the list were collapsed. */
  readonly rank: number
  /** Score in that list, as the retriever gave it. */
  readonly score: number
  /** The score after normalisation, where the method used one. */
  readonly normalized?: number
  /** The list's weight, where the method took one. */
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
  /** What fusion gave it, where it was re-ranked afterwards. */
  readonly fused?: { readonly rank: number; readonly score: number }
}

/** What one retriever found for one sub-query, best first. */
export interface RankedList {
  readonly retriever: string
  readonly subQuery: SubQuery
  readonly hits: readonly Hit[]
}

/**
 * One sub-query at one retriever: its list or its error. An empty list is a result, not an error. `incomplete` is why
 * hits may be missing, where the backend says so: shards that failed, a time that was up.
 */
export type Leg = { readonly retriever: string; readonly subQuery: SubQuery } & (
  | { readonly hits: readonly Hit[]; readonly incomplete?: string; readonly error?: never }
  | { readonly error: Error; readonly hits?: never }
)

export interface RetrieveOptions {
  /** Depth: how many hits a leg may have at the most. */
  readonly k: number
  readonly filter?: unknown
  /** Aborts when nobody waits for the answer any more: at the deadline at the latest. Not for one that was given. */
  readonly signal?: AbortSignal
  /** Milliseconds until the deadline, for backends that can be told. */
  readonly timeout?: number
}

/**
 * A search backend. Batch-first: all sub-queries of a request come in one call, so that a cluster gets one `_msearch`.
 * It answers one leg a sub-query, in the order given, or several (lexical and vector legs of one cluster), each under
 * its own `retriever` name. A leg that failed carries its error; a rejected promise means that the whole batch failed.
 */
export interface Retriever {
  readonly name: string
  /** The names of its lists, where it answers several a sub-query. Default: its own name. */
  readonly legs?: readonly string[]
  /** Whether its hits come with their documents. Default: not known, the first search shows it. */
  readonly bringsDocuments?: boolean
  retrieve(subQueries: readonly SubQuery[], options: RetrieveOptions): Promise<readonly Leg[]>
  close?(): Promise<void>
}

/** How lists are merged. */
export interface FuseOptions {
  /** How many fused hits are returned. Default: all. */
  readonly k?: number
  /** How many hits of each list take part. Default: all. */
  readonly depth?: number
  /** One weight a list, in the order of the lists. An error for methods that cannot use weights. */
  readonly weights?: readonly number[]
  /** Score normalisation applied to each list first; a name of `fusion/normalize`. Default: the method's own. */
  readonly norm?: string
  /** Whether hits carry their provenance. Default: false. */
  readonly provenance?: boolean
}

/** What one list gives to one document, as an additive method's `term` sees it. */
export interface Term {
  readonly rank: number
  /** Normalised where the fusion was asked to normalise, else raw. */
  readonly score: number
  readonly weight: number
}

/** A fusion method, made by the factory in the file of its name. */
export interface Fusion {
  readonly name: string
  fuse(lists: readonly RankedList[], options?: FuseOptions): Hit[]
  /**
   * What one list adds to the fused score. Present where the method is additive: there the fused score is the sum of
   * the terms, and shares and `explain` are made from it.
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
}

export interface CompleteOptions {
  readonly signal?: AbortSignal
  /** Default: the model's own setting. */
  readonly temperature?: number
  /** Most tokens of the answer. Default: the model's own setting. */
  readonly maxTokens?: number
}

/** A chat model. It rejects when it has no answer; it never returns an empty one in place of an error. */
export interface ChatModel {
  readonly name: string
  complete(messages: readonly Message[], options?: CompleteOptions): Promise<Completion>
}

export interface EmbedOptions {
  /** Many embedders put another instruction before a query than before a document. */
  readonly kind: 'query' | 'document'
  readonly signal?: AbortSignal
}

/** A text embedder: one unit-length vector a text, in the order given. */
export interface Embedder {
  readonly name: string
  readonly dimensions: number
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]>
  close?(): Promise<void>
}

/** qid → hits, best first. */
export type Run = ReadonlyMap<string, readonly Hit[]>

/** qid → docid → grade. A grade of 0 or below is judged and not relevant. */
export type Qrels = ReadonlyMap<string, ReadonlyMap<string, number>>

/**
 * What was decided: search the query `as-is`, one other text instead (`rewrite`), or several texts (`decompose`).
 */
export type DecisionKind = 'as-is' | 'rewrite' | 'decompose'

/** An error as a trace keeps it: the code of a `QuerentError`, or the name of a foreign error, and its message. */
export interface Failure {
  readonly code: string
  readonly message: string
}

/** One leg as a trace keeps it. `failed`: the backend's error; `late`: the deadline; `aborted`: not needed any more. */
export interface LegTrace {
  readonly retriever: string
  readonly subQuery: SubQuery
  readonly status: 'ok' | 'failed' | 'late' | 'aborted'
  readonly ms: number
  /** The list as it came, best first, without documents. Absent unless `ok`. */
  readonly hits?: readonly { readonly docid: string; readonly score: number }[]
  /** Why hits may be missing, where the backend says so. */
  readonly incomplete?: string
  readonly error?: Failure
}

/** The choices of a policy that scores them, and what decided. */
export interface Considered {
  /** Every text that could have been searched, the most probable first. */
  readonly candidates: readonly (SubQuery & {
    /** Where it comes from: `name`, `bridge`, `carry-over` … */
    readonly kind: string
    /** Of all choices with it together. */
    readonly probability: number
  })[]
  /** How many there were. */
  readonly choices: number
  /** The most probable ones, best first. */
  readonly best: readonly {
    /** Texts that would have voted; empty for the query as it is. */
    readonly subQueries: readonly string[]
    readonly withOriginal: boolean
    readonly probability: number
  }[]
  /** What set the first apart from the query as it is, the strongest first: the feature and what it added to the score. */
  readonly inputs: readonly { readonly name: string; readonly part: number }[]
}

/** One thing that happened during a search. `startMs` counts from the beginning of the search. */
export type Step =
  | {
      readonly type: 'retrieve'
      /** Request 1 is the original query, request 2 the sub-queries. */
      readonly request: 1 | 2
      readonly startMs: number
      readonly ms: number
      readonly legs: readonly LegTrace[]
    }
  | {
      readonly type: 'ask'
      readonly prompt: string
      readonly model: string
      readonly startMs: number
      readonly ms: number
      /** 1, or 2 where the model was asked to repair its answer. */
      readonly attempts: number
      readonly tokens: Tokens
      /** The model's last answer, where there was one. */
      readonly output?: string
      readonly error?: Failure
    }
  | {
      readonly type: 'decide'
      readonly startMs: number
      readonly kind: DecisionKind
      readonly reason: string
      readonly subQueries: readonly SubQuery[]
      /** What a policy that scores its choices had before it. */
      readonly considered?: Considered
    }
  | {
      readonly type: 'fuse'
      readonly method: string
      readonly norm?: string
      readonly startMs: number
      readonly ms: number
      /** The lists that took part, in the order they were given to the method. */
      readonly lists: readonly {
        readonly retriever: string
        readonly subQuery: SubQuery
        readonly weight?: number
      }[]
      /** How many fused hits came of it, at most k. */
      readonly hits: number
    }
  | {
      readonly type: 'rerank'
      readonly startMs: number
      readonly ms: number
      /** How many documents were read and compared. */
      readonly pool: number
      /** What they were compared with, where that is what the query was rewritten to. */
      readonly question?: string
      /** Why the fused order was kept, where it was. */
      readonly error?: Failure
    }
  | {
      /** The original query's results were returned instead of the policy's. */
      readonly type: 'fallback'
      readonly startMs: number
      readonly error: Failure
    }

/** Milliseconds. `deciding` and `retrieving` overlap, since the original query is searched while it is decided. */
export interface Times {
  readonly total: number
  /** From the start of the search to the decision. 0 where the policy decides nothing. */
  readonly deciding: number
  /** During which at least one request was under way. */
  readonly retrieving: number
  readonly fusing: number
  readonly reranking: number
}

/** What a policy comes back with. */
export interface Outcome {
  readonly hits: readonly Hit[]
  readonly answer?: string
  /** What the query was rewritten to, where one text stands for it and its conversation: re-ranking compares with that. */
  readonly rewritten?: string
}

/** What happened in one search. Training reads traces back; their JSON Schema is published as `querent/trace.schema.json`. */
export interface Trace {
  readonly version: 1
  readonly query: Query
  readonly policy: string
  /** The decision that was carried out: `as-is` after a fallback. */
  readonly kind: DecisionKind
  readonly reason: string
  readonly subQueries: readonly SubQuery[]
  readonly secondStage: boolean
  /** Whether a leg that should have taken part did not, or only in part: see the legs of the steps. */
  readonly partial: boolean
  /** Why the original query's results were returned instead of the policy's; absent where they were not. */
  readonly fallback?: Failure
  readonly steps: readonly Step[]
  readonly times: Times
  readonly tokens: Tokens
  readonly outcome: Outcome
}

export interface SearchResult {
  readonly hits: readonly Hit[]
  readonly trace: Trace
  readonly answer?: string
}
