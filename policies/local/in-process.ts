/** The local policy's computations in this thread. */
import type { Reranker } from '../../src/reranker.ts'
import { createReader } from '../../src/text/reader.ts'
import { type Decide, type Decided, type DecideOptions, prepareDecide } from './local.ts'
import type { PolicyFile } from './policy-file/policy-file.ts'
import { createPoolScorer, type PoolScores, type ScorePool } from './rerank/rerank.ts'
import { prepareWiden, type Widen } from './with-wider-pool.ts'

/** What a policy file can do. What the file has no section for is absent. */
export interface LocalWork {
  readonly decide?: Decide
  readonly widen?: Widen
  readonly scores?: ScorePool
  readonly explain?: NonNullable<Reranker['explain']>
  /** Ends the threads, if there are any. */
  close?(): Promise<void>
}

/** The parts of a policy file that searches need. */
export type Sections = Pick<PolicyFile, 'terms' | 'decision' | 'rerank'>

/** The same, done at once. */
export interface WorkHere extends LocalWork {
  readonly decide?: Decide<Decided>
  readonly scores?: ScorePool<PoolScores>
}

/** In this thread. The parts share a reader, so each document is read once. */
export function workHere({ terms, decision, rerank }: Sections, options: DecideOptions): WorkHere {
  const reader = createReader(terms)
  const scorer = rerank && createPoolScorer(rerank, reader)
  return {
    ...(decision && {
      decide: prepareDecide(decision, reader, options),
      widen: prepareWiden(decision, reader, options),
    }),
    ...scorer,
  }
}
