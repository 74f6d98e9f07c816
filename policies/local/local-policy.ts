/** The local policy from a file: what `createOptimizer` takes as `policy` and `rerank`. */
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
  /**
   * The file of a policy that was trained with `querent train`, or what was read from it. Default: the package's own that
   * fits `retrievers`.
   */
  readonly file?: string | PolicyFile | undefined
  /**
   * What will search: lexical retrievers, dense retrievers and both at once have policies of their own. Default: lexical.
   */
  readonly retrievers?: readonly Pick<Retriever, 'name' | 'kind' | 'legs'>[] | undefined
  /**
   * A policy that decides in place of the file's own, one that asks a language model, say: the file's re-ranking follows,
   * and its second stage looks up more to re-rank from. Default: none.
   */
  readonly decider?: Policy | undefined
  /**
   * Threads that decide and re-rank, so that the event loop is free meanwhile; searches of one process with the same policy
   * share them. 0: this thread does it. Default: 0.
   */
  readonly workers?: number | undefined
  /** Whether hits are re-ranked, where the policy was trained to. Default: true. `false` leaves the fused order. */
  readonly rerank?: boolean | undefined
}

/** To be spread into the options of `createOptimizer`. */
export interface LocalPolicy {
  readonly policy: Policy
  /** Absent where the file has no section for it, or where it is not wanted. */
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
 * Reads a policy. It and its re-ranking look at documents: where hits come without them, `createOptimizer` needs
 * `documents`, too.
 *
 *     createOptimizer({ retrievers, documents, ...(await localPolicy({ retrievers })) })
 *
 * @throws QuerentError `bad-config` that names the wrong option; `missing-file`, `bad-policy` for the file
 */
export async function localPolicy({
  maxSecondStage,
  ...options
}: LocalPolicyOptions = {}): Promise<LocalPolicy> {
  const { file, retrievers, rerank, decider, workers } = parseConfig(optionsSchema, options, 'localPolicy')
  const opened = file ?? shippedPath(shippedFor(retrievers))
  const read = typeof opened === 'string' ? await readPolicy(opened) : opened
  const { rerank: reranker, ...made } = makeLocalPolicy(read, { maxSecondStage }, decider, workers)
  return rerank && reranker !== undefined ? { ...made, rerank: reranker } : made
}

/**
 * What a file that has been read amounts to; both parts read documents once. Without a decision the query stays as it is.
 *
 * @param decider decides in place of the file's decision, which then widens what is re-ranked
 * @param workers threads that do the work, which `policy.close` ends; 0: this thread does it
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
  // To explain is rare, and is done here.
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
