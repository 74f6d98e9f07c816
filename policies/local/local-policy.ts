/**
 * The local policy from a file, as `policy` and `rerank` for `createOptimizer`.
 *
 * @module querent/policies/local
 */
import { z } from 'zod'
import { countOrNone, having, parseConfig } from '../../src/config.ts'
import type { Policy } from '../../src/policy.ts'
import type { Reranker } from '../../src/reranker.ts'
import { closeAll } from '../../src/runtime/close-all.ts'
import { shipped } from '../../src/shipped.ts'
import { createReader } from '../../src/text/reader.ts'
import type { Retriever } from '../../src/types.ts'
import { declarationOf } from '../../src/with-rerank.ts'
import { none } from '../none.ts'
import { byTitles } from './by-titles.ts'
import { type LocalWork, workHere } from './in-process.ts'
import { deciding, type LocalOptions, localOptions } from './local.ts'
import type { PolicyFile } from './policy-file/policy-file.ts'
import { checkPolicy, readPolicy } from './policy-file/policy-store.ts'
import { createPoolScorer, scoredBy } from './rerank/rerank.ts'
import { type ShippedName, shippedFor, shippedPath } from './shipped.ts'
import { widening } from './with-wider-pool.ts'
import { threadedWork } from './workers/worker-pool.ts'

export type { LocalOptions } from './local.ts'

export interface LocalPolicyOptions extends FileOptions {
  /** A policy file that `querent train` wrote, or its parsed content. Default: the shipped policy that fits `retrievers`. */
  readonly file?: string | PolicyFile | undefined
  /**
   * The retrievers that will search. Lexical retrievers, dense retrievers and both together have separate policies. Default:
   * lexical.
   */
  readonly retrievers?: readonly Pick<Retriever, 'name' | 'kind' | 'legs'>[] | undefined
}

export interface FileOptions extends LocalOptions {
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
  /**
   * Whether to re-rank hits, if the policy was trained to; or a re-ranker in place of the policy's own. `false` keeps the fused order,
   * and nothing is searched that only a re-ranker would see. Default: true.
   */
  readonly rerank?: boolean | Reranker | undefined
}

/** Spread this into the options of `createOptimizer`. */
export interface LocalPolicy {
  readonly policy: Policy
  /** Absent if the file has no section for it, or if re-ranking is turned off. */
  readonly rerank?: Reranker
}

const fileOptionsSchema = z.looseObject({
  decider: having<Policy>('a policy', 'run').optional(),
  workers: countOrNone.default(0),
  rerank: z.union([z.boolean(), having<Reranker>('a re-ranker', 'rerank')]).default(true),
})

const optionsSchema = z.looseObject({
  file: z.union([z.string().min(1), z.custom<PolicyFile>((value) => Object(value) === value)]).optional(),
  retrievers: z
    .array(
      z.custom<Pick<Retriever, 'name' | 'kind' | 'legs'>>(
        (value) => Object(value) === value,
        'expected a retriever',
      ),
    )
    .default([]),
})

/**
 * Reads a policy. The policy and its re-ranker read documents. If hits come without documents, `createOptimizer` also needs
 * `documents`.
 *
 *     createOptimizer({ retrievers, documents, ...(await localPolicy({ retrievers })) })
 *
 * @throws QuerentError `bad-config` naming the wrong option; `missing-file`, `bad-policy` for the file
 */
export async function localPolicy(given: LocalPolicyOptions = {}): Promise<LocalPolicy> {
  const { file, retrievers, ...options } = parseConfig(optionsSchema, given, 'localPolicy')
  const settings = settingsOf(options, 'localPolicy')
  const open = async (from: string | PolicyFile): Promise<LocalWork> =>
    workWith(
      typeof from === 'string' ? await readPolicy(from) : checkPolicy(from, 'localPolicy: file'),
      settings,
    )
  const work = await (file === undefined ? openShipped(shippedFor(retrievers), open) : open(file))
  return policyOn(work, settings)
}

/** Of lexical retrievers there is a second policy, for documents without titles. */
async function openShipped(
  name: ShippedName,
  open: (path: string) => Promise<LocalWork>,
): Promise<LocalWork> {
  const work = await open(shippedPath(name))
  return name === 'bm25' ? byTitles(work, () => open(shippedPath('bm25-untitled'))) : work
}

/**
 * Builds the policy and the re-ranker from a parsed file. They share a reader, so each document is read once. Without a decision
 * section, the query is searched unchanged.
 *
 * @throws QuerentError `bad-config` naming the wrong option; `bad-policy` for the file, which is checked once
 */
export function makeLocalPolicy(file: PolicyFile, options: FileOptions = {}): LocalPolicy {
  const settings = settingsOf(options, 'makeLocalPolicy')
  return policyOn(workWith(checkPolicy(file, 'makeLocalPolicy: file'), settings), settings)
}

type Settings = ReturnType<typeof settingsOf>

function settingsOf(options: FileOptions, where: string) {
  const { decider, workers, rerank, ...limits } = parseConfig(fileOptionsSchema, options, where)
  return { decider, workers, rerank, limits: localOptions(limits) }
}

/** The work of a file, in this thread or in others; without its own re-ranking if that is off or another's. */
function workWith({ rerank: given, ...file }: PolicyFile, { rerank, workers, limits }: Settings): LocalWork {
  const own = rerank === true ? given : undefined
  const used = { ...file, ...(own && { rerank: own }) }
  const options = { ...limits, reranks: own !== undefined || typeof rerank === 'object' }
  if (workers === 0) return workHere(used, options)
  const { decide, widen, scores, close } = threadedWork(used, options, workers)
  return {
    ...(file.decision && { decide, widen }),
    // Explanations are rare, so this thread computes them.
    ...(own && {
      scores,
      explain: (...seen) => createPoolScorer(own, createReader(file.terms)).explain(...seen),
    }),
    close,
  }
}

function policyOn(
  { decide, widen, scores, explain, close }: LocalWork,
  { decider, rerank }: Settings,
): LocalPolicy {
  // A policy with prompts asks a language model.
  const own = scores && explain && shipped(scoredBy(scores, explain, decider?.prompts !== undefined))
  const reranker = typeof rerank === 'object' ? rerank : own
  const policy = decidedBy(decider)
  const made: Policy = {
    ...declarationOf(policy),
    run: (query, tools) => policy.run(query, tools),
    close: () => closeAll([{ close }, decider]),
  }
  return {
    policy: decider === undefined ? shipped(made) : made,
    ...(reranker && { rerank: reranker }),
  }

  function decidedBy(other: Policy | undefined): Policy {
    if (other === undefined) return decide === undefined ? none() : deciding(decide)
    return widen === undefined || reranker === undefined ? other : widening(other, widen)
  }
}
