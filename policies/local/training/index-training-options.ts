/** What a training on indexes takes, and what it tells while it runs. */
import type { OpenedIndex } from '../../../src/index-folder/open.ts'
import type { Qrels, Query } from '../../../src/types.ts'
import type { PolicyFile } from '../policy-file/policy-file.ts'
import type { JudgedQueries } from './check-training-data.ts'
import type { PhaseProgress } from './rerank-training.ts'

/** Judged queries, and the index of their collection's documents. */
export interface IndexedCollection {
  /** Unique among the collections of a training. */
  readonly name: string
  readonly queries: readonly Query[]
  readonly qrels: Qrels
  readonly index: OpenedIndex
}

export interface IndexTrainingOptions {
  /** Determines the folds, the initial weights and the order of queries. Default: 1. */
  readonly seed?: number | undefined
  /** The maximum number of hits of a list. Default: 100. */
  readonly depth?: number | undefined
  /** Whether to fit re-ranking as well. Default: true. */
  readonly rerank?: boolean | undefined
  /**
   * A policy whose decision to keep; only re-ranking is fitted. `none` searches queries unchanged. By default, the decision is
   * fitted as well.
   */
  readonly decided?: PolicyFile | 'none' | undefined
  readonly signal?: AbortSignal | undefined
  /** Called for each collection before the first search. */
  readonly onCollection?: ((collection: { readonly name: string } & JudgedQueries) => void) | undefined
  readonly onProgress?: ((progress: IndexTrainingProgress) => void) | undefined
}

export type IndexTrainingProgress =
  | { readonly phase: 'documents' | 'queries'; readonly done: number; readonly total: number }
  | PhaseProgress
