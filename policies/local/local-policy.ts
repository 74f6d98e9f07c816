/** The local policy from a file, as `policy` and `rerank` for `createOptimizer`. */
import { z } from 'zod'
import { countOrNone, having, parseConfig } from '../../src/config.ts'
import type { Policy } from '../../src/policy.ts'
import type { Reranker } from '../../src/reranker.ts'
import { createReader } from '../../src/text/reader.ts'
import type { Retriever } from '../../src/types.ts'
import { none } from '../none.ts'
import type { DecisionSection } from './decision.ts'
import { deciding, type LocalOptions, local, localOptions } from './local.ts'
import type { PolicyFile } from './policy-file.ts'
import { readPolicy } from './policy-store.ts'
import { createReranker, scoredBy } from './rerank/rerank.ts'
import type { RerankSection } from './rerank/rerank-section.ts'
import { shippedFor, shippedPath } from './shipped.ts'
import { threadedWork } from './threaded.ts'
import { widening, withWiderPool } from './with-wider-pool.ts'

export interface LocalPolicyOptions extends LocalOptions {
  /** A policy file that `querent train` wrote, or its parsed content. Default: the shipped policy that fits `retrievers`. */
  readonly file?: string | PolicyFile | undefined
  /**
   * The retrievers that will search. Lexical retrievers, dense retrievers and both together have separate policies. Default:
   * lexical.
   */
  readonly retrievers?: readonly Pick<Retriever, 'name' | 'kind' | 'legs'>[] | undefined
  /**
   * A policy that decides in place of the file's decision, for example one that calls a language model. The file's re-ranking
   * follows, and its second stage adds texts to search for re-ranking to choose from. Default: none.
   */
  readonly decider?: Policy | undefined
  /**
   * Threads for deciding and re-ranking, which keep the event loop free. Searches of one process with the same policy share them.
   * With 0, the calling thread does the work. Default: 0.
   */
  readonly workers?: number | undefined
  /** Whether to re-rank hits, if the policy was trained to. `false` keeps the fused order. Default: true. */
  readonly rerank?: boolean | undefined
}

/** Spread this into the options of `createOptimizer`. */
export interface LocalPolicy {
  readonly policy: Policy
  /** Absent if the file has no section for it, or if re-ranking is turned off. */
  readonly rerank?: Reranker
}

const optionsSchema = z.strictObject({
  file: z.union([z.string().min(1), z.custom<PolicyFile>((value) => Object(value) === value)]).optional(),
  retrievers: z
    .array(
      z.custom<Pick<Retriever, 'name' | 'kind' | 'legs'>>(
        (value) => Object(value) === value,
        'expected a retriever',
      ),
    )
    .default([]),
  decider: having<Policy>('a policy', 'run').optional(),
  workers: countOrNone.default(0),
  rerank: z.boolean().default(true),
})

/**
 * Reads a policy. The policy and its re-ranker read documents. If hits come without documents, `createOptimizer` also needs
 * `documents`.
 *
 *     createOptimizer({ retrievers, documents, ...(await localPolicy({ retrievers })) })
 *
 * @throws QuerentError `bad-config` naming the wrong option; `missing-file`, `bad-policy` for the file
 */
export async function localPolicy({
  maxSecondStage,
  effort,
  ...options
}: LocalPolicyOptions = {}): Promise<LocalPolicy> {
  const { file, retrievers, rerank, decider, workers } = parseConfig(optionsSchema, options, 'localPolicy')
  const opened = file ?? shippedPath(shippedFor(retrievers))
  const read = typeof opened === 'string' ? await readPolicy(opened) : opened
  const { rerank: reranker, ...made } = makeLocalPolicy(read, { maxSecondStage, effort }, decider, workers)
  return rerank && reranker !== undefined ? { ...made, rerank: reranker } : made
}

/**
 * Builds the policy and the re-ranker from a parsed file. They share a reader, so each document is read once. Without a decision
 * section, the query is searched unchanged.
 *
 * @param decider decides in place of the file's decision, which then widens the pool for re-ranking
 * @param workers threads for the work, which `policy.close` ends; with 0, this thread does the work
 */
export function makeLocalPolicy(
  file: PolicyFile,
  options: LocalOptions = {},
  decider?: Policy,
  workers = 0,
): LocalPolicy {
  return workers === 0
    ? madeHere(file, options, decider)
    : madeInThreads(file, localOptions(options), decider, workers)
}

function madeHere(
  { terms, decision, rerank }: PolicyFile,
  options: LocalOptions,
  decider: Policy | undefined,
): LocalPolicy {
  const reader = createReader(terms)
  const decide = (section: DecisionSection): Policy =>
    decider === undefined ? local(section, reader, options) : withWiderPool(decider, section, reader, options)
  return {
    policy: decision === undefined ? (decider ?? none()) : decide(decision),
    ...(rerank && { rerank: createReranker(rerank, reader) }),
  }
}

function madeInThreads(
  file: PolicyFile,
  options: LocalOptions,
  decider: Policy | undefined,
  workers: number,
): LocalPolicy {
  const { terms, decision, rerank } = file
  const work = threadedWork(file, options, workers)
  const decides = decider === undefined ? deciding(work.decide) : widening(decider, work.widen)
  const policy = decision === undefined ? (decider ?? none()) : decides
  // Explanations are rare, so this thread computes them.
  const explains = (section: RerankSection) => () => createReranker(section, createReader(terms))
  return {
    policy: {
      name: policy.name,
      ...(policy.reads !== undefined && { reads: policy.reads }),
      ...(policy.budget && { budget: policy.budget }),
      ...(policy.prompts && { prompts: policy.prompts }),
      run: (query, tools) => policy.run(query, tools),
      async close() {
        await Promise.all([work.close(), decider?.close?.()])
      },
    },
    ...(rerank && { rerank: scoredBy(work.scores, explains(rerank)) }),
  }
}
